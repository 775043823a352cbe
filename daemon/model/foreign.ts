/** By its path: code that other people wrote and the repository keeps a copy of. */
export function isVendored(path: string): boolean {
  return vendored.test(path);
}

/** By its name: code that a program wrote, as its usual names for what it writes tell. */
export function isGenerated(path: string): boolean {
  return generated.test(path);
}

const vendored = /(?:^|\/)(?:vendor(?:ed)?|third[_-]?party|deps|external|node_modules)\//i;
const generated =
  /(?:\.pb(?:\.gw)?\.go|\.pb\.(?:cc|h)|_pb2(?:_grpc)?\.pyi?|_pb\.(?:d\.ts|js|rb)|\.(?:g|freezed|mocks|gr)\.dart|\.g(?:\.i)?\.cs|\.designer\.cs|[._-]generated\.\w+|\.min\.js)$/i;
