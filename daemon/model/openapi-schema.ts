/**
 * All of an OpenAPI document that its consumers hang on, version 2 told in the words of version 3. Lines are 1-based.
 * References within the document are followed for parameters, bodies and responses; those of shapes stay references, since
 * shapes may hold themselves.
 */
export interface OpenApiSchema extends ApiAddress {
  /** `2.0`, `3.0.3` … */
  readonly version: string;
  readonly title: string;
  readonly titleLine: number;
  readonly apiVersion: string;
  readonly operations: readonly ApiOperation[];
  readonly webhooks: readonly ApiCall[];
  /** Paths whose operations are in another file, which is not known. */
  readonly pathsElsewhere: readonly ApiPath[];
  /** By the reference that names them: `#/components/schemas/Cart`, `#/definitions/Cart`. */
  readonly shapes: ReadonlyMap<string, ApiShape>;
  /** Words of `info` and of the root that say whom it is for: `x-audience`, `x-internal` … with their values. */
  readonly marks: readonly ApiMark[];
  readonly lines: readonly string[];
}

/** Where requests go. */
export interface ApiAddress {
  /** What stands before paths, each once; none where nothing does. */
  readonly basePaths: readonly string[];
  readonly basePathLine: number;
  /** As written; of version 2 from scheme, host and base path. */
  readonly servers: readonly ApiServer[];
  /** `https`, `wss` …, each once; this machine's are left out, and none where nothing is said. */
  readonly schemes: readonly string[];
  readonly schemesLine: number;
}

export interface ApiPath {
  /** As the document has it: `/carts/{id}`. */
  readonly path: string;
  readonly line: number;
}

export interface ApiServer {
  readonly url: string;
  readonly line: number;
}

export interface ApiMark {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

export interface ApiOperation {
  /** In capitals. */
  readonly method: string;
  /** As the document has it: `/carts/{id}`. */
  readonly path: string;
  /** '' where there is none. */
  readonly operationId: string;
  readonly line: number;
  readonly isDeprecated: boolean;
  /** Where it, or its path, has another than the document. */
  readonly address?: ApiAddress;
  /** Those of the path too, where the operation has none of the same place and name. */
  readonly parameters: readonly ApiParameter[];
  readonly body: ApiBody | undefined;
  readonly responses: readonly ApiResponse[];
  /** Alternatives; each is what has to be had together: `oauth(read,write)`. None, or an empty one, is for everybody. */
  readonly security: readonly (readonly ApiScheme[])[];
  /** Where `security` says so; of the operation, or of the document. */
  readonly securityLine: number;
  readonly callbacks: readonly ApiCall[];
  /** What its parts refer to that is not there, or in a file that is not known. */
  readonly lost: readonly LostReference[];
}

/** A reference of a parameter, a body or an answer that can’t be followed. */
export interface LostReference {
  /** `parameters`, `request`, `response 200`. */
  readonly part: string;
  readonly reference: string;
  readonly line: number;
}

/** What the API asks of its consumers: it sends what an operation takes, and takes what an operation answers. */
export interface ApiCall {
  /** `onData POST {$request.body#/url}`, of a webhook `newPet POST`. */
  readonly name: string;
  /** Its path is the expression that says where it goes; it has no calls of its own, and no security. */
  readonly operation: ApiOperation;
}

export interface ApiScheme {
  readonly name: string;
  readonly scopes: readonly string[];
  /** What clients may do to be known, as its definition says: `http basic`, each flow of `oauth2`; none where it is not known. */
  readonly ways: readonly string[];
}

export interface ApiParameter {
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly name: string;
  readonly line: number;
  readonly isRequired: boolean;
  readonly isDeprecated: boolean;
  readonly style: ApiStyle;
  readonly shape: ApiShape;
}

/** How lists and objects are written where only text goes, defaults said. */
export interface ApiStyle {
  /** `form`, `simple`, `spaceDelimited` …, `tabDelimited` of version 2; of a parameter with `content` its media type. */
  readonly name: string;
  /** Each item, or each property, for itself. */
  readonly isExploded: boolean;
}

export interface ApiBody {
  readonly line: number;
  readonly isRequired: boolean;
  readonly contents: readonly ApiContent[];
}

/** What goes over the wire under one media type. */
export interface ApiContent {
  readonly mediaType: string;
  readonly line: number;
  readonly shape: ApiShape;
  /** Of a form those of its fields that differ from what is usual in it, by name; undefined where none are known. */
  readonly styles?: FormStyles;
}

export interface FormStyles {
  readonly usual: ApiStyle;
  readonly fields: ReadonlyMap<string, ApiStyle>;
}

export interface ApiResponse {
  /** `200`, `4XX`, `default`. */
  readonly status: string;
  readonly line: number;
  readonly contents: readonly ApiContent[];
  readonly headers: readonly ApiHeader[];
}

export interface ApiHeader {
  readonly name: string;
  readonly line: number;
  readonly isRequired: boolean;
  readonly shape: ApiShape;
}

/** What a value has to be. One that says nothing takes anything. */
export interface ApiShape {
  readonly line: number;
  /** As written: one of `shapes`, or in another file. What stands beside it in version 3.1 is in `allOf` with it. */
  readonly reference?: string;
  /** The reference is to a place in the document that there is not. */
  readonly leadsNowhere?: true;
  /** Those that it may have, `null` not among them; none: any. */
  readonly types: readonly string[];
  /** Of a reference: what it names, or null. */
  readonly isNullable: boolean;
  readonly format: string;
  /** As JSON, `const` too; undefined where any value is taken. */
  readonly values?: readonly ApiValue[];
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, ApiProperty>;
  /** Of further properties, as patterns may name them. */
  readonly additional: 'any' | 'none' | ApiShape;
  readonly items?: ApiShape;
  /** No item twice. */
  readonly isUnique: boolean;
  readonly discriminator?: ApiDiscriminator;
  readonly allOf: readonly ApiShape[];
  readonly oneOf: readonly ApiShape[];
  readonly anyOf: readonly ApiShape[];
  readonly limits: readonly ApiLimit[];
  /** What else values are held against. */
  readonly keywords: readonly ApiKeyword[];
  readonly pattern: string;
  /** As JSON; '' where there is none. */
  readonly default: string;
  readonly isDeprecated: boolean;
  /** Only in answers, or only in requests. */
  readonly use: 'both' | 'read' | 'write';
}

/** What takes any value. */
export function anything(line: number): ApiShape {
  return {
    line,
    types: [],
    isNullable: false,
    format: '',
    required: [],
    properties: new Map(),
    additional: 'any',
    isUnique: false,
    allOf: [],
    oneOf: [],
    anyOf: [],
    limits: [],
    keywords: [],
    pattern: '',
    default: '',
    isDeprecated: false,
    use: 'both',
  };
}

export interface ApiValue {
  readonly text: string;
  readonly line: number;
}

export interface ApiProperty {
  readonly line: number;
  readonly shape: ApiShape;
}

/** Which property tells of which alternative a value is. */
export interface ApiDiscriminator {
  readonly property: string;
  /** References, or names of shapes, by the values that stand for them; other values are names of shapes. */
  readonly mapping: ReadonlyMap<string, string>;
  readonly line: number;
}

/** Those that count together are one. */
export const keywordNames = [
  'not',
  'if',
  'contains',
  'prefixItems',
  'propertyNames',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;
export type ApiKeywordName = (typeof keywordNames)[number];

export interface ApiKeyword {
  readonly name: ApiKeywordName;
  /** The same for the same value, in whatever order its keys are. */
  readonly digest: string;
  /** Of `dependentRequired` alone: `card needs number`, each pair. */
  readonly pairs: readonly string[];
  readonly line: number;
}

export interface ApiLimit {
  readonly kind: ApiLimitKind;
  readonly value: number;
  readonly line: number;
}

export const limitKinds = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'multipleOf',
] as const;
export type ApiLimitKind = (typeof limitKinds)[number];

/** More of them nobody asks, and each operation may have its own. */
const mostServers = 100;

export function briefAddress(address: ApiAddress): ApiAddress {
  const { basePaths, servers, schemes } = address;
  if (Math.max(basePaths.length, servers.length, schemes.length) <= mostServers) return address;
  return {
    ...address,
    basePaths: basePaths.slice(0, mostServers),
    servers: servers.slice(0, mostServers),
    schemes: schemes.slice(0, mostServers),
  };
}

/** The hosts of a document's servers, each once. None where an address has none, or names this machine, which is everybody's. */
export function hostsOf({ servers }: Pick<ApiAddress, 'servers'>): readonly string[] {
  return [...new Set(servers.flatMap(({ url }) => hostOf(url)))];
}

/** In small letters; none where an address names none, or this machine. */
export function hostOf(url: string): readonly string[] {
  const host = /^(?:[a-zA-Z][\w+.-]{0,20}:)?\/\/([^/?#\s{}@]{1,255})/.exec(url)?.[1]?.toLowerCase();
  return host === undefined || /^(?:localhost|127\.|0\.0\.0\.0|\[::1\])/.test(host) ? [] : [host];
}
