/** An API contract: a file that says what may be called and what goes over the wire. */
export type ContractType = 'proto' | 'openapi';

/** Whom a contract is for, as its place and its text say. */
export type ContractVisibility = 'public' | 'internal' | 'unknown';

/** What is told of a `.proto` file: names with the 1-based lines that declare them. */
export interface ProtoOutline {
  readonly type: 'proto';
  /** `proto2`, `proto3`, or an edition such as `2023`. */
  readonly syntax: string;
  /** '' where it declares none. */
  readonly package: string;
  readonly imports: readonly ProtoImport[];
  /** Those of the file that are strings, numbers or words, by name: `go_package`, `java_package` … */
  readonly options: Readonly<Record<string, string>>;
  readonly services: readonly ProtoService[];
  /** Messages and enums, nested ones with their containers: `Cart.Item`. Without the package. */
  readonly types: readonly NamedLine[];
  /** Types of fields and methods that the file itself doesn't declare, as written, each once and in order; none of protobuf's own. */
  readonly uses: readonly string[];
  readonly marks: readonly ContractMark[];
}

export interface ProtoImport {
  readonly path: string;
  readonly line: number;
  /** Whoever imports the file has what it imports. */
  readonly isPublic?: true;
}

export interface ProtoService extends NamedLine {
  readonly methods: readonly ProtoMethod[];
}

export interface ProtoMethod extends NamedLine {
  /** As `google.api.http` has it, where it does: `GET /v1/carts/{id}`. */
  readonly routes: readonly string[];
}

export interface NamedLine {
  readonly name: string;
  readonly line: number;
}

/** What is told of an OpenAPI document. */
export interface OpenApiOutline {
  readonly type: 'openapi';
  /** `2.0`, `3.0.3` … */
  readonly version: string;
  readonly title: string;
  /** Of the API, not of the format. */
  readonly apiVersion: string;
  /** What stands before the paths of operations, without hosts: `basePath`, or the paths of `servers`; '' for none. */
  readonly basePaths: readonly string[];
  /** Where its servers are, in small letters, with their ports: `orders.acme.example`. Without those of this machine. */
  readonly hosts: readonly string[];
  readonly operations: readonly OpenApiOperation[];
  readonly marks: readonly ContractMark[];
}

export interface OpenApiOperation {
  /** In capitals; '' where another file tells what may be asked of the path. */
  readonly method: string;
  /** As the document has it, without the base path: `/carts/{id}`. */
  readonly path: string;
  /** '' where there is none. */
  readonly operationId: string;
  readonly line: number;
}

/** A line of a contract that says whom it is for. */
export interface ContractMark {
  /** An option or an extension made for it; the title; where its servers are. The first goes before the others. */
  readonly kind: 'declared' | 'title' | 'servers';
  readonly says: 'public' | 'internal';
  readonly line: number;
  /** What says so: `x-internal: true`, `http://localhost:8080`; at most 200 characters. */
  readonly seen: string;
}

export type ContractOutline = ProtoOutline | OpenApiOutline;

/**
 * What a file shows of a contract that it was made from, calls or serves. Names are as the file has them: which contract of
 * which repository they mean is found out over all repositories together.
 */
export interface ContractUse {
  readonly kind: ContractUseKind;
  /** The language of the file, as its dialect is called; `configuration` for build files. */
  readonly language: string;
  /** 1-based. */
  readonly line: number;
  /** The line, trimmed, at most 200 characters; of what stands on several lines, those that tell it apart. */
  readonly seen: string;
  /** The service named, without its package: `CartService`. */
  readonly service?: string;
  /**
   * Where the name is from, as far as the file tells, in the language's own words: an import path (Go), a package (Java,
   * Kotlin), a namespace (C#, PHP, C++ with dots), a module (Python, Ruby, Elixir, Rust, JavaScript). Of what is loaded, the
   * package that is taken of it.
   */
  readonly from?: string;
  /** Where the file doesn't tell which: packages or namespaces that it has open, of one of which the name may be. */
  readonly among?: readonly string[];
  /** Of a name that is imported: what it is called in `from`, with what it is in: `OrderPlaced`, `EventsProto.OrderPlaced`. */
  readonly type?: string;
  /** Where all of `from` is imported: names with capitals in the file, each of which may be from there. */
  readonly names?: readonly string[];
  /** The fully qualified name of the service where the file tells it: `shop.v1.CartService`. */
  readonly fullName?: string;
  /** The `.proto` file or OpenAPI document named, as written. */
  readonly file?: string;
  /** The title of the OpenAPI document that code was generated from. */
  readonly title?: string;
  /** Of a generator's configuration: which side of the services is generated. */
  readonly role?: 'client' | 'server' | 'both';
  /** A module of a schema registry: `buf.build/acme/petapis`. */
  readonly module?: string;
  /** Of a route: its method in capitals ('' where the file doesn't tell), and its path with `{}` for each parameter. */
  readonly method?: string;
  readonly path?: string;
  /** Of a route that is called: the host that stands before it, with its port, where it is written there. */
  readonly host?: string;
}

export type ContractUseKind =
  /** The file is generated from `file`, from what declares `service`, or from the document that is called `title`. */
  | 'generated'
  /** Imports generated code. */
  | 'stub-import'
  /** Imports `type`, or all, from a package that looks like one of generated messages: whether it is one, contracts tell. */
  | 'type-import'
  /** Makes a client of `service`. */
  | 'client'
  /** Implements `service`, or registers it with a server. */
  | 'server'
  /** Reads `file` when it runs. */
  | 'load'
  /** A build or generator configuration that names `file`, or a folder of such files. */
  | 'generator'
  /** A registry's module that is depended upon. */
  | 'dependency'
  /** Uses a client that is generated from an OpenAPI document. */
  | 'openapi-client'
  /** Calls a path of an HTTP API. */
  | 'route-call'
  /** Serves a path of an HTTP API. */
  | 'route';

/** What one file says of contracts: what it declares, what it uses. A pure function of its path and bytes. */
export interface ContractFacts {
  readonly outline?: ContractOutline;
  /** In the order of lines. */
  readonly uses: readonly ContractUse[];
  /** Why a file that should be a contract can't be read as one, with the line. */
  readonly problem?: { readonly line: number; readonly message: string };
  /** Of `buf.yaml` and `buf.work.yaml`. */
  readonly buf?: BufModules;
}

/** A buf workspace, or a module of one. */
export interface BufModules {
  /** Folders of modules from the file's folder, `.` for it; imports of `.proto` files are looked for below them. */
  readonly roots: readonly string[];
  /** The registry's names of the modules, where they have any. */
  readonly names: readonly string[];
}

/** A larger file is not looked at as a contract. */
export const mostContractBytes = 32 * 2 ** 20;

/** Of the files that an OpenAPI document refers to, itself among them, no more are looked at. */
export const mostReferenced = 200;
