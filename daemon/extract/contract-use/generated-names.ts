/**
 * The `.proto` that generated code was made from, by the name of its file or module as generators make them: `cart.proto` of
 * `cart_pb2_grpc`, `cart.pb.go`, `cart_grpc_pb.js`. Undefined where the name is no such one.
 */
export function protoOfName(name: string): string | undefined {
  if (name.length > 300 || !/pb|connect|twirp/.test(name)) return undefined;
  for (const pattern of patterns) {
    const [, stem] = pattern.exec(name) ?? [];
    if (stem !== undefined && stem !== '') return `${stem}.proto`;
  }
  return undefined;
}

const patterns: readonly RegExp[] = [
  /^([\w-]+?)(?:_vtproto|_grpc|_drpc|_ttrpc)?\.pb(?:\.gw|\.validate|\.micro)?\.go$/,
  /^([\w-]+?)\.(?:connect|twirp)\.go$/,
  /^([\w-]+?)_pb2(?:_grpc)?(?:\.pyi?)?$/,
  /^([\w-]+?)_grpc(?:_web)?_pb(?:\.(?:[cm]?[jt]s|d\.ts))?$/,
  /^([\w.-]+?)_pb(?:_service)?\.(?:[cm]?js|d\.[cm]?ts|ts)$/,
  /^([\w-]+?)_(?:connect|connectweb|connectquery)\.(?:[cm]?js|d\.[cm]?ts|ts)$/,
  /^([\w-]+?)\.(?:grpc\.)?pb\.(?:cc|h|cpp|hpp)$/,
  /^([\w-]+?)_(?:services_pb|pb|twirp)\.rb$/,
  /^([\w-]+?)\.pb(?:grpc|enum|json|server)?\.dart$/,
  /^([\w-]+?)\.(?:grpc|pb|connect)\.swift$/,
  /^([\w-]+?)\.pb\.exs?$/,
  /^([\w-]+?)\.pb(?:objc|rpc)\.[hm]$/,
  /^([\w-]+?)_grpc\.pb\.rs$/,
];

/**
 * The `.proto` behind a module that code imports, without an ending or with the one of its language: as `protoOfName`, and
 * for names that are unmistakable in imports alone (`./cart_pb`, `cart_services_pb`, `cart.client`).
 */
export function protoOfModule(module: string): string | undefined {
  const name = module.slice(module.lastIndexOf('/') + 1);
  if (name.length > 300) return undefined;
  const direct = protoOfName(name);
  if (direct !== undefined) return direct;
  const [, stem] =
    /^([\w-]+?)(?:_grpc_web_pb|_grpc_pb|_services_pb|_pb_service|_pb|_connect|_twirp|\.client|\.server|\.grpc-client|\.grpc-server|\.pb)(?:\.[cm]?[jt]s)?$/.exec(
      name,
    ) ?? [];
  // What `protoc-gen-connect-query` and `protoc-gen-grpc-web` name by the service too.
  const [, ofService] = /^([\w]+?)(?:-\w+_connectquery|ServiceClientPb)(?:\.[jt]s)?$/.exec(name) ?? [];
  const found = stem ?? ofService;
  return found === undefined ? undefined : `${found}.proto`;
}
