import type { ApiAddress, ApiBody, ApiContent, ApiHeader, ApiResponse } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, isTrue, mapOf, textOf, textsOf } from '../document/nodes.ts';
import { formShape } from './form.ts';
import { followed } from './references.ts';
import type { SchemesRead } from './schemes.ts';
import { type ShapesRead, shapeOf } from './shape.ts';
import { formStyles, oldStyle } from './styles.ts';

export interface MessageReading {
  readonly root: DocumentNode;
  readonly shapes: ShapesRead;
  /** Of the same node the same list: many operations refer to one response. */
  readonly contents: Map<DocumentNode, readonly ApiContent[]>;
  readonly headers: Map<DocumentNode, readonly ApiHeader[]>;
  readonly schemes: SchemesRead;
  readonly address: ApiAddress;
  /** What references make of a document has a bound: so many parts of operations may still be read. */
  left: number;
}

/** The body that an operation of version 3 asks for. */
export function bodyOf(reading: MessageReading, node: DocumentNode | undefined): ApiBody | undefined {
  const body = followed(reading.root, node);
  if (node === undefined || body === undefined) return undefined;
  return {
    line: node.line,
    isRequired: isTrue(at(body, 'required')),
    contents: contentsOf(reading, at(body, 'content')),
  };
}

/** Of version 2: the parameter in the body, or those of a form as one object. */
export function bodyOfParameters(
  reading: MessageReading,
  given: readonly DocumentNode[],
  operation: DocumentNode,
): ApiBody | undefined {
  const { shapes } = reading;
  const body = given.find(one => textOf(at(one, 'in')) === 'body');
  const fields = given.filter(one => textOf(at(one, 'in')) === 'formData');
  const [first] = body === undefined ? fields : [body];
  if (first === undefined) return undefined;
  const { line } = first;
  const shape = body === undefined ? formShape(fields, shapes) : shapeOf(at(body, 'schema'), shapes, line);
  const isRequired = (body === undefined ? fields : [body]).some(one => isTrue(at(one, 'required')));
  const named = fields.map(field => [textOf(at(field, 'name')) ?? '', oldStyle(field, 'formData')] as const);
  const told =
    body === undefined ? { styles: { usual: { name: 'form', isExploded: false }, fields: new Map(named) } } : {};
  const contents = mediaTypesOf(reading, operation, 'consumes').map(mediaType => ({ mediaType, line, shape, ...told }));
  return { line, isRequired, contents };
}

/** By their statuses, in the document's order. */
export function responsesOf(reading: MessageReading, operation: DocumentNode): readonly ApiResponse[] {
  return [...mapOf(at(operation, 'responses')).entries].flatMap(([status, { line, value }]) => {
    if (status.startsWith('x-')) return [];
    const node = followed(reading.root, value);
    const contents =
      reading.shapes.version === '2.0'
        ? oldContents(reading, at(node, 'schema'), operation)
        : contentsOf(reading, at(node, 'content'));
    return [{ status, line, contents, headers: headersOf(reading, at(node, 'headers')) }];
  });
}

function contentsOf({ shapes, contents }: MessageReading, node: DocumentNode | undefined): readonly ApiContent[] {
  if (node === undefined) return [];
  const made =
    contents.get(node) ??
    [...mapOf(node).entries].map(([mediaType, { line, value }]) => {
      const styles = formStyles(mediaType, value);
      const shape = shapeOf(at(value, 'schema'), shapes, line);
      return { mediaType, line, shape, ...(styles === undefined ? {} : { styles }) };
    });
  contents.set(node, made);
  return made;
}

function oldContents(
  reading: MessageReading,
  schema: DocumentNode | undefined,
  operation: DocumentNode,
): readonly ApiContent[] {
  if (schema === undefined) return [];
  const shape = shapeOf(schema, reading.shapes, schema.line);
  return mediaTypesOf(reading, operation, 'produces').map(mediaType => ({ mediaType, line: schema.line, shape }));
}

/** More than these nobody takes, and each response has each of them. */
const mostMediaTypes = 50;

function mediaTypesOf(
  { root }: MessageReading,
  operation: DocumentNode,
  key: 'consumes' | 'produces',
): readonly string[] {
  const told = new Set(textsOf(at(operation, key) ?? at(root, key)));
  return told.size === 0 ? ['application/json'] : [...told].slice(0, mostMediaTypes);
}

function headersOf(reading: MessageReading, node: DocumentNode | undefined): readonly ApiHeader[] {
  if (node === undefined) return [];
  const { root, shapes, headers } = reading;
  const made =
    headers.get(node) ??
    [...mapOf(node).entries].flatMap(([name, { line, value }]) => {
      const isOld = shapes.version === '2.0';
      // Of version 3 the media types of the answer tell it, and the header is ignored.
      if (!isOld && name.toLowerCase() === 'content-type') return [];
      const header = followed(root, value);
      const shape = shapeOf(isOld ? header : at(header, 'schema'), shapes, line);
      return [{ name, line, isRequired: isTrue(at(header, 'required')), shape }];
    });
  headers.set(node, made);
  return made;
}
