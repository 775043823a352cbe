import type { Found, Source } from '../text/source.ts';
import { type Import, importsIn } from './jvm-names.ts';
import { type ImportedType, typeImports } from './type-imports.ts';

/** Classes of messages, Kotlin's builders and ScalaPB's case classes: `import com.acme.events.v1.OrderPlaced`. */
export function messageTypes(source: Source): readonly Found[] {
  return typeImports(source, typesIn(source), speaks.test(source.code));
}

const speaks =
  /\.(?:newBuilder|getDefaultInstance)\(|\bparse(?:Delimited)?From\(|\bcom\.google\.protobuf\b|\bscalapb\b|\bcom\.squareup\.wire\b/;

function* typesIn(source: Source): Iterable<ImportedType> {
  for (const one of importsIn(source)) {
    if (ofServices.test(one.path) || ofLibraries.test(one.path)) continue;
    yield { at: one.at, ...placed(one) };
  }
}

/** Told by what else there is to them. */
const ofServices = /(?:^|\.)\w{0,150}(?:Grpc(?:Kt)?|ImplBase|Stub|ServiceClient|ServiceHandler)(?:\.\w{1,200})?$/;
const ofLibraries =
  /^(?:javax?|jakarta|kotlinx?|scala|akka|io\.grpc|com\.google\.protobuf|org\.(?:junit|springframework|slf4j|apache))\./;

/** Packages begin with small letters, classes with capitals; what is imported last is called as it is. */
function placed({ path, name }: Import): Omit<ImportedType, 'at'> {
  const parts = path.split('.');
  const outer = parts.findIndex(part => /^[A-Z]/.test(part));
  const end = outer >= 0 ? outer : name === '*' ? parts.length : parts.length - 1;
  const type = parts.slice(end).join('.');
  return { from: parts.slice(0, end).join('.'), ...(type === '' ? {} : { type }) };
}
