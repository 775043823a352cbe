import type { Found, Source } from '../text/source.ts';

/** Which side of an API a generator makes: that which serves it, or undefined where it makes clients or data alone. */
export type Side = Pick<Found, 'role'>;

const server: Side = { role: 'server' };
const other: Side = {};

/** Of a command that runs a generator. */
export function sideOfCommand(line: string): Side {
  if (/\bswagger\s{1,5}generate\s{1,5}server\b/.test(line)) return server;
  if (/\boapi-codegen\b/.test(line)) {
    const [, made = ''] = /\s--?generate[\s=]{1,5}(\S{1,200})/.exec(line) ?? [];
    return /server|chi|gin|echo|fiber|iris|gorilla/.test(made) && !/client/.test(made) ? server : other;
  }
  const [, name] = /\s(?:-g|-l|--generator-name|--lang)[\s=]{1,5}["']?([\w-]{1,60})/.exec(line) ?? [];
  return isServer(name) && !asClient.test(line) ? server : other;
}

/**
 * Of settings that name several generators, each beside its document: that which stands with the document at `at`, before it
 * where the file names the first generator before the first document.
 */
export function sideBeside(text: string, at: number): Side {
  if (asClient.test(text)) return other;
  const names = [
    ...text.matchAll(/\b(?:generatorName|language)\b["']?\s{0,5}(?:>|\.set\(|[:=(])\s{0,10}["']?([\w-]{1,60})/g),
  ];
  const isBefore = (names[0]?.index ?? 0) < text.search(/\b(?:inputSpec|remoteInputSpec)\b/);
  const own = isBefore ? names.findLast(({ index }) => index < at) : names.find(({ index }) => index > at);
  return isServer(own?.[1]) ? server : other;
}

/** Generators of openapi-generator and swagger-codegen that make servers, as far as their names don't end so. */
function isServer(name: string | undefined): boolean {
  return name !== undefined && (/-server$/.test(name) || servers.test(name));
}

const servers =
  /^(?:spring|kotlin-spring|jaxrs(?:-[\w-]{1,40})?|aspnetcore|aspnet-fastendpoints|csharp-functions|fsharp-(?:functions|giraffe-server)|python-(?:flask|fastapi|aiohttp|blueplanet)|go-gin-server|rust-axum|ruby-(?:on-rails|sinatra)|haskell(?:-yesod)?|php-(?:laravel|lumen|slim4?|symfony|flight|mezzio-ph)|java-(?:camel|inflector|msf4j|pkmst|play-framework|vertx(?:-web)?)|scala-(?:cask|play-server|lagom-server)|inflector|undertow|typescript-nestjs-server)$/;

/** Libraries of Spring's generators that make clients. */
const asClient = /(?<![\w-])spring-(?:cloud|http-interface|declarative-http-interface)(?![\w-])/;

/**
 * Configurations of oapi-codegen that have a server made and no client, `generate: { chi-server: true }` or a list of such: of
 * which document, the command says that is given the configuration.
 */
export function* oapiCodegenServers({ text }: Source): Iterable<Found> {
  const block =
    /^generate:[ \t]{0,10}(?:[[{][^\]}]{0,600}|(?:#[^\n]{0,200})?\r?(?:\n(?:[ \t]{1,20}|-|#|\r?(?=\n))[^\n]{0,200}){1,40})/m.exec(
      text,
    );
  if (block === null || madeClient.test(block[0])) return;
  const found = madeServer.exec(block[0]);
  if (found !== null) yield { kind: 'generated', at: block.index + found.index, role: 'server' };
}

const madeClient =
  /(?<![\w-])(?:client["']?[ \t]{0,5}:[ \t]{0,5}true\b|-[ \t]{1,5}["']?client\b|(?<=[[,]\s{0,20})["']?client["']?\s{0,20}[,\]]|(?<=[[,]\s{0,20})client$)/;

const madeServer =
  /(?<![\w-])(?:chi|gin|echo|fiber|iris|gorilla|std-http|strict)-server(?=["']?(?:[ \t]{0,5}:[ \t]{0,5}true\b|\s{0,20}(?:[,\]\n\r]|$)))/;
