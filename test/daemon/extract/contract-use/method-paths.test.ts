import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractUsesIn } from '../../../../daemon/extract/contract-use/contract-uses.ts';

/** Of a file's name, texts of which each is a file. */
const sent: readonly (readonly [path: string, lines: readonly string[]])[] = [
  [
    'a.go',
    [
      'err := c.cc.Invoke(ctx, "/q.user.User/Do", in, out)',
      's, err := conn.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, "/q.user.User/Do")',
      'x := connect.NewClient[userv1.Req, userv1.Res](http.DefaultClient, url+"/q.user.User/Do")',
      'r, _ := http.NewRequestWithContext(ctx, "POST", base+"/q.user.User/Do", body)',
      'r, _ := http.Post(fmt.Sprintf("%s/q.user.User/Do", base), "application/json", body)',
      'const do = "/q.user.User/Do"; func f() { conn.Invoke(ctx, do, in, out) }',
    ],
  ],
  [
    'a.ts',
    [
      "client.makeUnaryRequest('/q.user.User/Do', a, b, c, d);",
      "client.makeUnaryRequest(\n  '/q.user.User/Do',\n  a => a.serialize(),\n  b => B.from(b),\n  c,\n);",
      "client.makeBidiStreamRequest('/q.user.User/Do', a, b);",
      "this.client_.rpcCall(this.host_ + '/q.user.User/Do', request, {}, info, callback);",
      "this.transport.unary('/q.user.User/Do', request);",
      "await fetch(base + '/q.user.User/Do', { method: 'POST' });",
      `await fetch(\`\${base}/q.user.User/Do\`, { method: "POST" });`,
      `await axios.post(\`\${base}/q.user.User/Do\`, {});`,
      "await axios({ method: 'post', url: '/q.user.User/Do' });",
      "const DO = '/q.user.User/Do';\nconst f = () => client.makeUnaryRequest(DO, a, b, c);",
      "const url = base + '/q.user.User/Do';\nconst f = () => fetch(url);",
    ],
  ],
  [
    'a.py',
    [
      'stub = channel.unary_unary("/q.user.User/Do", request_serializer=a)',
      'stub = channel.unary_stream(\n    "/q.user.User/Do",\n)',
      'requests.post(f"{base}/q.user.User/Do", json={})',
      'DO = "/q.user.User/Do"\ncall = channel.unary_unary(DO)',
    ],
  ],
  [
    'a.rs',
    [
      'fn f() { client.unary(req, PathAndQuery::from_static("/q.user.User/Do"), codec).await }',
      'fn f() { let path = http::uri::PathAndQuery::from_static("/q.user.User/Do");\nself.inner.unary(req, path, codec).await }',
      'const DO: &str = "/q.user.User/Do";\nfn f() { let path = PathAndQuery::from_static(DO);\nself.inner.server_streaming(req, path, codec).await }',
      'fn f() { client.post(format!("{}/q.user.User/Do", base)).send().await }',
    ],
  ],
  ['a.cs', ['class A { Task F() => http.PostAsync("/q.user.User/Do", content); }']],
  [
    'A.java',
    [
      'class A { void f() { channel.newCall("/q.user.User/Do"); } }',
      'class A { private static final String DO = "/q.user.User/Do"; void f() { channel.newCall(DO, o); } }',
    ],
  ],
  [
    'a.php',
    ["<?php use Grpc\\BaseStub; class A { function f() { return $this->_simpleRequest('/q.user.User/Do', $a, $b); } }"],
  ],
  ['a.rb', ['stub.request_response("/q.user.User/Do", req, a, b)']],
  ['a.dart', ["final d = $grpc.ClientMethod<A, List<B>>('/q.user.User/Do', a, b);"]],
  [
    'a.cc',
    [
      '::grpc::internal::RpcMethod m("/q.user.User/Do", type);',
      'auto m = grpc::internal::RpcMethod("/q.user.User/Do", type);',
    ],
  ],
  ['a.swift', ['let x = self.performAsyncUnaryCall(path: "/q.user.User/Do", request: r)']],
];

const served: readonly (readonly [path: string, lines: readonly string[]])[] = [
  [
    'a.go',
    [
      'if info.FullMethod == "/q.user.User/Do" { return handler(ctx, req) }',
      'switch info.FullMethod {\ncase "/q.user.User/Do":\n return handler(ctx, req) }',
      'var open = map[string]bool{"/q.user.User/Do": true}\nfunc f() grpc.UnaryServerInterceptor { return nil }',
      'var open = []string{\n\t"/q.user.User/Do",\n}',
      'if strings.HasPrefix(info.FullMethod, "/q.user.User/Do") { return }',
      'interceptor(ctx, req, &grpc.UnaryServerInfo{FullMethod: "/q.user.User/Do"}, handler)',
      'var slo = map[string]time.Duration{"/q.user.User/Do": time.Second}',
      'const open = "/q.user.User/Do"; func f() { if info.FullMethod == open { conn.Invoke(ctx, other, in, out) } }',
    ],
  ],
  [
    'a.ts',
    [
      "const open = new Set(['/q.user.User/Do']);",
      "const slo = { '/q.user.User/Do': 250 };",
      "app.use((req) => { if (req.path === '/q.user.User/Do') next(); });",
      "app.post('/q.user.User/Do', (req, res) => res.end());",
      "if (call.getPath() === '/q.user.User/Do') fetch(other);",
    ],
  ],
  [
    'a.py',
    [
      'class A(grpc.ServerInterceptor):\n    def intercept_service(self, go, d):\n        if d.method == "/q.user.User/Do":\n            return go(d)',
      'OPEN = ["/q.user.User/Do"]',
      'OPEN = {"/q.user.User/Do"}\nclass A(grpc.ServerInterceptor): pass',
      'SLO = {"/q.user.User/Do": 0.2}',
    ],
  ],
  [
    'a.cs',
    [
      'class A : Interceptor { Task UnaryServerHandler() { if (context.Method == "/q.user.User/Do") return F(); } }',
      'class A { static readonly HashSet<string> Open = new() { "/q.user.User/Do" }; }',
    ],
  ],
  [
    'a.rs',
    [
      'const OPEN: &[&str] = &["/q.user.User/Do"];',
      'fn f() { match req.uri().path() { "/q.user.User/Do" => a(), _ => b() } }',
    ],
  ],
  ['A.java', ['class A { Set<String> open = Set.of("/q.user.User/Do"); }']],
  ['a.kt', ['routing { post("/q.user.User/Do") { call.respond(1) } }']],
];

/** What files say on their first line. */
const marks: Readonly<Record<string, string>> = {
  'a.go': 'package a; import "google.golang.org/grpc"; ',
  'a.ts': "import grpc from '@grpc/grpc-js'; ",
  'a.py': 'import grpc; ',
  'a.rs': 'use tonic::Status; ',
  'a.cs': 'using Grpc.Core; ',
  'A.java': 'import io.grpc.Channel; ',
  'a.kt': 'import io.grpc.Channel; ',
  'a.rb': "require 'grpc'; ",
  'a.dart': "import 'package:grpc/grpc.dart'; ",
  'a.swift': 'import GRPC; ',
};

function fullNamesIn(path: string, text: string): readonly string[] {
  const uses = contractUsesIn(path, (marks[path] ?? '') + text);
  return uses.flatMap(({ kind, line, fullName }) => (fullName === undefined ? [] : [`${line} ${kind} ${fullName}`]));
}

for (const [path, texts] of sent) {
  for (const text of texts) {
    const line = text.slice(0, text.indexOf('/q.user')).split('\n').length;
    test(`sent: ${text}`, () => assert.deepEqual(fullNamesIn(path, text), [`${line} client q.user.User`]));
  }
}

for (const [path, texts] of served)
  for (const text of texts) test(`not sent: ${text}`, () => assert.deepEqual(fullNamesIn(path, text), []));
