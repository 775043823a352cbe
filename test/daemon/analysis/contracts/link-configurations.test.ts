import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkContracts } from '../../../../daemon/analysis/contracts/link-contracts.ts';
import { edgesTold, membersIn } from '../../../support/contract-members.ts';
import { unindented } from '../../../support/outline.ts';

/** Repositories, and the edges between them, one a line: see `edgesTold`. */
type Case = readonly [name: string, repositories: string, edges: string];

function userProto(packageName: string): string {
  return `syntax = "proto3";
package ${packageName};
service UserService { rpc GetUser(User) returns (User); }
message User { string id = 1; }`;
}

const twoUsers = `
-- users/proto/user.proto --
${userProto('acme.user.v2')}
-- teams/proto/user.proto --
${userProto('acme.team.v1')}
`;

function nestOptions(packageName: string): string {
  return `import { Transport } from '@nestjs/microservices';
export const options = { transport: Transport.GRPC, options: { package: ${packageName}, protoPath: 'node_modules/x/user.proto' } };`;
}

const nestClient = `import { ClientGrpc } from '@nestjs/microservices';
export class A { onModuleInit() { this.users = this.client.getService<UserService>('UserService'); } }`;

const nestServer = `import { GrpcMethod } from '@nestjs/microservices';
@Controller()
export class C { @GrpcMethod('UserService', 'GetUser') get() {} }`;

const registry = `
-- registry/proto/acme/common/v1/money.proto --
syntax = "proto3";
package acme.common.v1;
message Money { int64 units = 1; }
-- registry/proto/acme/orders/v1/orders.proto --
syntax = "proto3";
package acme.orders.v1;
import "acme/common/v1/money.proto";
service OrderService { rpc GetOrder(Order) returns (Order); }
message Order { acme.common.v1.Money total = 1; }
-- registry/third_party/google/api/http.proto --
syntax = "proto3";
package google.api;
message Http {}
`;

const ordersProto = `syntax = "proto3";
package acme.orders.v1;
service OrderService { rpc GetOrder(Order) returns (Order); }
message Order { string id = 1; }`;

function csharpProject(included: string, side: string): string {
  return `<Project><ItemGroup><Protobuf Include="${included}" GrpcServices="${side}" /></ItemGroup></Project>`;
}

const cases: readonly Case[] = [
  [
    'who has clients alone made of a file keeps it for nobody, whatever language calls them',
    `
-- cart/pb/demo.proto --
syntax = "proto3";
package demo;
service Cart { rpc Get(In) returns (In); }
service Ship { rpc Go(In) returns (In); }
message In {}
-- cart/main.go --
package main
import pb "cart/genproto/demo"
func main() { pb.RegisterCartServer(srv, &server{}) }
-- fsharp/c.fsproj --
<Project><ItemGroup><Protobuf Include="proto/demo.proto" GrpcServices="Client" /></ItemGroup></Project>
-- fsharp/proto/demo.proto --
syntax = "proto3";
package demo;
service Cart { rpc Get(In) returns (In); }
service Ship { rpc Go(In) returns (In); }
message In {}
-- web/main.go --
package main
import pb "web/genproto/demo"
var c = pb.NewCartClient(conn)
`,
    `
    web -> cart/pb/demo.proto demo.Cart consumer derived 0.85 by cart | main.go:3 client
    `,
  ],
  [
    'options of NestJS tell the package of the services that other files of the repository ask for and serve',
    `${twoUsers}
-- client/src/module.ts --
${nestOptions("'acme.user.v2'")}
-- client/src/service.ts --
${nestClient}
-- server/src/main.ts --
${nestOptions("['grpc.health.v1', 'acme.user.v2']")}
-- server/src/controller.ts --
${nestServer}
`,
    `
    client -> users/proto/user.proto acme.user.v2.UserService consumer derived 0.85 by server | src/service.ts:2 client
    server -> users/proto/user.proto acme.user.v2.UserService provider derived 0.85 | src/controller.ts:3 server
    `,
  ],
  [
    'those of the file itself go before others; of two packages that have the service, each may be meant',
    `${twoUsers}
-- near/src/a.ts --
${nestOptions("'acme.team.v1'")}
${nestClient}
-- near/src/b.ts --
${nestOptions("'acme.user.v2'")}
-- both/src/a.ts --
${nestOptions("['acme.user.v2', 'acme.team.v1']")}
-- both/src/b.ts --
${nestClient}
-- both/src/c.ts --
${nestServer}
`,
    `
    both -> teams/proto/user.proto acme.team.v1.UserService consumer heuristic 0.5 | src/b.ts:2 client
    both -> users/proto/user.proto acme.user.v2.UserService consumer heuristic 0.5 | src/b.ts:2 client
    near -> teams/proto/user.proto acme.team.v1.UserService consumer derived 0.85 | src/a.ts:4 client
    `,
  ],
  [
    'where all that is loaded is of other packages, the service is none of those that are called alike',
    `
-- teams/proto/user.proto --
${userProto('acme.team.v1')}
-- other/src/a.ts --
${nestOptions("'acme.user.v2'")}
-- other/src/b.ts --
${nestClient}
-- unknown/src/a.ts --
${nestOptions("'acme.user.v2'")}
-- unknown/src/b.ts --
${nestOptions('config.packageName')}
-- unknown/src/c.ts --
${nestClient}
`,
    'unknown -> teams/proto/user.proto acme.team.v1.UserService consumer derived 0.85 | src/c.ts:2 client',
  ],
  [
    'globs of C# name copies of one’s own as their names would',
    `
-- orders/proto/orders.proto --
${ordersProto}
-- orders/main.go --
package main
import pb "github.com/acme/orders/gen/acme/orders/v1"
func main() { pb.RegisterOrderServiceServer(srv, &server{}) }
-- beside/App/App.csproj --
${csharpProject('..\\protos\\**\\*.proto', 'Client')}
-- beside/protos/acme/orders.proto --
${ordersProto}
-- below/App.csproj --
${csharpProject('**\\*.proto', 'Client')}
-- below/protos/orders.proto --
${ordersProto}
-- flat/App.csproj --
${csharpProject('*.proto', 'Client')}
-- flat/orders.proto --
${ordersProto}
-- elsewhere/App.csproj --
${csharpProject('*.proto', 'Server')}
-- elsewhere/protos/other.proto --
${ordersProto.replaceAll('OrderService', 'OtherService')}
`,
    `
    below -> orders/proto/orders.proto acme.orders.v1.OrderService consumer declared 1 by orders | App.csproj:1 generator
    beside -> orders/proto/orders.proto acme.orders.v1.OrderService consumer declared 1 by orders | App/App.csproj:1 generator
    flat -> orders/proto/orders.proto acme.orders.v1.OrderService consumer declared 1 by orders | App.csproj:1 generator
    `,
  ],
  [
    'a file that is named besides a glob is of the side that is said there',
    `
-- orders/proto/orders.proto --
${ordersProto}
-- orders/main.go --
package main
import pb "github.com/acme/orders/gen/acme/orders/v1"
func main() { pb.RegisterOrderServiceServer(srv, &server{}) }
-- app/App.csproj --
<Project><ItemGroup>
  <Protobuf Include="Protos/**/*.proto" GrpcServices="Server" />
  <Protobuf Update="Protos/orders.proto" GrpcServices="Client" />
</ItemGroup></Project>
-- app/Protos/orders.proto --
${ordersProto}
`,
    'app -> orders/proto/orders.proto acme.orders.v1.OrderService consumer declared 1 by orders | App.csproj:2 generator, App.csproj:3 generator',
  ],
  [
    'and those of a repository that is checked out beside',
    `${registry}
-- client/src/App.csproj --
${csharpProject('..\\..\\registry\\**\\*.proto', 'Client')}
-- server/App.csproj --
${csharpProject('../registry/proto/acme/orders/**/*.proto', 'Server')}
-- other/App.csproj --
${csharpProject('../protos/**/*.proto;registry/**/*.proto', 'Client')}
`,
    `
    client -> registry/proto/acme/common/v1/money.proto dependent declared 1 | src/App.csproj:1 generator
    client -> registry/proto/acme/orders/v1/orders.proto acme.orders.v1.OrderService consumer declared 1 by server | src/App.csproj:1 generator
    server -> registry/proto/acme/orders/v1/orders.proto acme.orders.v1.OrderService provider declared 1 | App.csproj:1 generator
    `,
  ],
  [
    'folders of a repository beside, and addresses of one, are all of it that nothing tells more of',
    `${registry}
-- buf/services/a/buf.gen.yaml --
version: v2
inputs:
  - directory: ../../../registry/proto
-- git/buf.gen.yaml --
version: v2
inputs:
  - git_repo: git@github.com:acme/registry.git
    subdir: proto
-- gradle/build.gradle --
sourceSets { main { proto { srcDir '../registry/proto' } } }
-- maven/pom.xml --
<protoSourceRoot>\${project.basedir}/../registry/proto</protoSourceRoot>
-- none/pom.xml --
<inputSpecRootDirectory>../registry/proto</inputSpecRootDirectory>
-- part/buf.gen.yaml --
version: v2
inputs:
  - directory: ../registry/proto
    paths: [acme/common/v1]
-- script/gen.sh --
protoc -I ../registry/proto --go_out=. $FILES
`,
    `
    buf -> registry/proto/acme/common/v1/money.proto dependent declared 1 | services/a/buf.gen.yaml:3 generator
    buf -> registry/proto/acme/orders/v1/orders.proto dependent declared 1 | services/a/buf.gen.yaml:3 generator
    git -> registry/proto/acme/common/v1/money.proto dependent declared 1 | buf.gen.yaml:3 generator
    git -> registry/proto/acme/orders/v1/orders.proto dependent declared 1 | buf.gen.yaml:3 generator
    gradle -> registry/proto/acme/common/v1/money.proto dependent declared 1 | build.gradle:1 generator
    gradle -> registry/proto/acme/orders/v1/orders.proto dependent declared 1 | build.gradle:1 generator
    maven -> registry/proto/acme/common/v1/money.proto dependent declared 1 | pom.xml:1 generator
    maven -> registry/proto/acme/orders/v1/orders.proto dependent declared 1 | pom.xml:1 generator
    part -> registry/proto/acme/common/v1/money.proto dependent declared 1 | buf.gen.yaml:4 generator
    script -> registry/proto/acme/common/v1/money.proto dependent declared 1 | gen.sh:1 generator
    script -> registry/proto/acme/orders/v1/orders.proto dependent declared 1 | gen.sh:1 generator
    `,
  ],
  [
    'of files that lie alike in several repositories the one that a path leads to is meant',
    `${registry}${registry.replaceAll('-- registry/', '-- mirror/')}
-- app/CMakeLists.txt --
protobuf_generate(TARGET app PROTOS "\${CMAKE_SOURCE_DIR}/../mirror/proto/acme/common/v1/money.proto")
`,
    'app -> mirror/proto/acme/common/v1/money.proto dependent declared 1 | CMakeLists.txt:1 generator',
  ],
  [
    'code tells which files of the folder are needed; of many that nothing tells none is',
    `${registry}
-- code/build.sbt --
Compile / PB.protoSources += file("../registry/proto")
-- code/src/A.scala --
import com.acme.common.v1.money.Money
object A { def read(bytes: Array[Byte]) = Money.parseFrom(bytes) }
-- large/buf.gen.yaml --
version: v2
inputs:
  - directory: ../many
${Array.from({ length: 21 }, (_, at) => `-- many/a${at}.proto --\nsyntax = "proto3";\npackage a.b${at};\nmessage A {}\n`).join('')}`,
    'code -> registry/proto/acme/common/v1/money.proto dependent declared 1 | build.sbt:1 generator, src/A.scala:1 type-import',
  ],
  [
    'a folder that the repository has itself is its own, whatever others are called',
    `${registry}
-- mine/services/a/buf.gen.yaml --
version: v2
inputs:
  - directory: ../registry
-- mine/services/registry/a.proto --
syntax = "proto3";
package mine;
message A {}
`,
    '',
  ],
  [
    'scripts that call a service are clients of it; those beside its contract try it out',
    `${twoUsers}
-- teams/smoke.sh --
grpcurl localhost:9090 acme.team.v1.UserService/GetUser
-- smoke/smoke.sh --
grpcurl users:9090 acme.user.v2.UserService/GetUser
grpcurl teams:9090 acme.team.v1.UserService/GetUser
`,
    `
    smoke -> teams/proto/user.proto acme.team.v1.UserService consumer derived 0.85 | smoke.sh:2 client
    smoke -> users/proto/user.proto acme.user.v2.UserService consumer derived 0.85 | smoke.sh:1 client
    `,
  ],
  [
    'oapi-codegen whose configuration tells that a server is made, and one whose tells a client',
    `
-- docs/api.yaml --
openapi: 3.0.3
info: { title: Parcels, version: '1' }
paths:
  /parcels/{id}: { get: {} }
-- parcels/Makefile --
gen:
	oapi-codegen -config cfg.yaml ../docs/api.yaml
-- parcels/cfg.yaml --
package: gen
output: gen.go
generate:
  chi-server: true
-- web/Makefile --
gen:
	oapi-codegen -config cfg.yaml ../docs/api.yaml
-- web/cfg.yaml --
package: gen
generate:
  client: true
`,
    `
    parcels -> docs/api.yaml provider declared 1 | Makefile:2 generator
    web -> docs/api.yaml consumer declared 1 by parcels | Makefile:2 generator
    `,
  ],
];

for (const [name, repositories, edges] of cases) {
  test(name, () => {
    const told = edgesTold(linkContracts(membersIn(repositories)).edges);
    assert.equal(told, edges === '' ? '' : unindented(edges).trim());
  });
}
