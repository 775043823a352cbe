import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractUsesIn } from '../../../../daemon/extract/contract-use/contract-uses.ts';

const endings = 'go java kt scala cs cc py ts rb php rs dart swift m ex erl csproj gradle sbt sh'.split(' ');

/** Of any of it so much is read in some ten milliseconds, and in seconds where time goes by the square of its length. */
const length = 100_000;

/** Of some of these each language takes something. */
const repeated: readonly string[] = [
  'a',
  '(',
  '"',
  "'",
  '`${',
  '/*',
  '\0',
  '\\\n',
  'class A { @GetMapping("/a") ',
  'new A.AClient(channel, ',
  'import {a, ',
  'axios({ url: ',
  'route("/x") { ',
  'const a = load(p).a; ',
  'alias A.B use a::{b, ',
  'r.Route("/a", func(r ',
  '__proto__.constructor.',
  '<<~A <<A\n',
  ' A\n<<A\n',
  '<<<A\n',
  '#\n"""',
  '#if 0\n',
  '#if 1\n#else\n',
  '#if 0\n#endif\n',
  'A::B a = c.get(f % ',
  'c: HttpClient c.get(URL.format(',
  'use a_client, ',
  'path("a") { get { ',
  'path("/a", include(',
  'r.With(a).Get("/a", b) ',
  '.Route("/a", func(r ',
  '(r"/a", A), ',
  '(r"/(((',
  '"/a" bind routes(',
  'r.route("/a").get(b)',
  'const r = express.Router(); a.use("/v", r); ',
  'case GET -> Root / "a" / ',
  '@GetMapping({P, ',
  '.nest("/a", Router::new()',
  '.get("/a", b)',
  'app.get("/a", b).put("/a", ',
  'new Hono().get("/a", ',
  'web::scope("/a").route("/b", ',
  'warp::path("a").and(',
  'Route::prefix("a")->group(function () { ',
  'Route::group(["a" => [',
  'let v = app.grouped("v"); v.group("a") { v in ',
  'resource :a do\n',
  '..get("/a", b)',
  '[HttpTrigger(Route = "a", ',
  'protoPath: "a.proto", package: [',
  'PB.protoSources =\n',
  'use a::b as c; c::d_client::DClient::new(',
  'generate_api!(a = b, ',
  'grpcurl a.B/C \\\n',
];

const relevant =
  'import spark.Spark io.vertx.ext.web org.http4k org.http4s akka.http server._ servlet.function urlpatterns tornado falcon warp:: Grape::API Slim\\ package:shelf_router HttpTrigger\nimport Vapor\nimport express from "express";\nimport { Hono } from "hono";\n' +
  'grpc Grpc GRPC. net/http _pb2 .pb.h reqwest axios @Controller import GRPC; package:grpc .pbgrpc.dart ktor protoc a.proto\n';

for (const ending of endings) {
  test(`what is hostile to .${ending} takes time in proportion to its length`, () => {
    for (const unit of repeated) {
      const text = relevant + unit.repeat(Math.ceil(length / unit.length));
      const before = process.cpuUsage().user;
      assert.ok(contractUsesIn(`a.${ending}`, text).length <= 5_000);
      const tookMs = (process.cpuUsage().user - before) / 1000;
      assert.ok(tookMs < 500, `${JSON.stringify(unit)} took ${tookMs} ms`);
    }
  });
}

test('what is not closed ends with its line or with the text', () => {
  const kinds = (path: string, text: string): readonly string[] => contractUsesIn(path, text).map(use => use.kind);
  assert.deepEqual(kinds('a.go', 'import pb "a/pb"\nvar s = "open\nvar c = pb.NewXServiceClient(conn)\n'), [
    'stub-import',
    'client',
  ]);
  assert.deepEqual(kinds('a.go', 'import pb "a/pb"\n/* open\nvar c = pb.NewXServiceClient(conn)\n'), ['stub-import']);
  assert.deepEqual(
    kinds('a.rs', "use a::b_client::BClient;\n/* /* */ BClient::connect(1) */\nlet c: &'a str = BClient::new(c);"),
    ['stub-import', 'client'],
  );
  assert.deepEqual(kinds('a.py', 'import a_pb2_grpc\nx = """open\na_pb2_grpc.XStub(channel)\n'), ['stub-import']);
});

test('names that objects have are names', () => {
  const uses = contractUsesIn(
    'a.js',
    'const { __proto__, constructor } = grpc.loadPackageDefinition(x);\nnew toString.A(b, grpc.credentials.createInsecure());\n',
  );
  assert.deepEqual(
    uses.map(({ service }) => service),
    ['A'],
  );
});

test('lines are cut around the place', () => {
  const [use] = contractUsesIn(
    'a.go',
    `import "google.golang.org/grpc"; ${'x '.repeat(400)}var c = NewCartServiceClient(conn)${' y'.repeat(400)}`,
  );
  assert.match(use!.seen, /^.{0,30}NewCartServiceClient\(conn\)/);
  assert.ok(use!.seen.length <= 200 && use!.line === 1);
});

test('files of no language that is read show nothing', () => {
  assert.deepEqual(contractUsesIn('a.md', 'pb.NewCartServiceClient(conn)'), []);
  assert.deepEqual(contractUsesIn('__proto__', 'x'), []);
  assert.deepEqual(contractUsesIn('a.constructor', 'x'), []);
});
