import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'MSBuild',
    'Cart.csproj',
    `
    <Project>
      <ItemGroup>
        <Protobuf Include="..\\..\\protos\\cart.proto" GrpcServices="Client" />
        <!-- <Protobuf Include="old.proto" /> -->
        <Protobuf Include="a.proto;b.proto"><GrpcServices>Server</GrpcServices></Protobuf>
        <OpenApiReference Include="api.json" />
        <Protobuf Include="**\\*.proto" Exclude="old\\**" GrpcServices="Server" />
        <Protobuf Include="$(MSBuildProjectDirectory)\\..\\registry\\**\\*.proto;*.proto" GrpcServices="Client" />
      </ItemGroup>
    </Project>
    `,
    `
    3 generator file=../../protos/cart.proto role=client
    5 generator file=a.proto role=server
    5 generator file=b.proto role=server
    6 generator file=api.json
    7 generator file=**/*.proto
    8 generator file=../registry/**/*.proto role=client
    8 generator file=*.proto role=client
    `,
  ],
  [
    'Maven',
    'pom.xml',
    `
    <protoSourceRoot>\${project.basedir}/../protos</protoSourceRoot>
    <inputSpec>\${project.basedir}/src/main/resources/api.yaml</inputSpec>
    <sourceDirectory>src/main/java</sourceDirectory>
    <dependency>
      <groupId>build.buf.gen</groupId>
      <artifactId>acme_petapis_protocolbuffers_java</artifactId>
    </dependency>
    `,
    `
    1 generator file=../protos
    2 generator file=src/main/resources/api.yaml
    5 dependency module=buf.build/acme/petapis
    `,
  ],
  [
    'Gradle',
    'build.gradle.kts',
    `
    sourceSets { main { proto { srcDir("../protos") } } }
    openApiGenerate { inputSpec.set("$rootDir/specs/petstore.yaml") }
    // inputSpec.set("no.yaml")
    dependencies { implementation("build.buf.gen:acme_petapis_grpc_java:1.0") }
    `,
    `
    1 generator file=../protos
    2 generator file=specs/petstore.yaml
    4 dependency module=buf.build/acme/petapis
    `,
  ],
  [
    'folders of Gradle that lie elsewhere',
    'build.gradle',
    `
    sourceSets {
      main { proto { srcDir "\${rootDir}/../registry/proto"; srcDir file('../other/proto') } }
      test { proto { srcDirs = ["\${rootProject.projectDir}/../third"] } }
    }
    `,
    `
    2 generator file=../registry/proto
    2 generator file=../other/proto
    3 generator file=../third
    `,
  ],
  [
    'folders of ScalaPB',
    'build.sbt',
    `
    Compile / PB.protoSources := Seq(file("../registry/proto"), baseDirectory.value / "protos")
    (Compile / PB.protoSources) +=
      (ThisBuild / baseDirectory).value / ".." / "registry" / "proto"
    // PB.protoSources in Compile += file("old")
    lazy val root = project.in(file("root")).settings(
      PB.protoSources in Compile += file("../more"),
      Compile / unmanagedResourceDirectories += file("../no")
    )
    Compile / PB.targets := Seq(scalapb.gen() -> file("no"))
    `,
    `
    1 generator file=../registry/proto
    1 generator file=protos
    3 generator file=../registry/proto
    6 generator file=../more
    `,
  ],
  [
    'folders that the compiler of scripts is pointed at',
    'gen.sh',
    `
    protoc -I ../registry/proto --go_out=. $(find ../registry/proto -name '*.proto')
    protoc -I ../registry/proto -I . --go_out=. own.proto
    protoc -I. --go_out=. *.proto
    protoc -I protos -I ../registry/proto --go_out=. $FILES
    protoc -I . -I ../registry/proto --go_out=. $FILES
    protoc -I . -I ../googleapis --go_out=. $(find ../registry/proto -name '*.proto')
    `,
    `
    1 generator file=../registry/proto
    2 generator file=own.proto
    3 generator file=*.proto
    4 generator file=protos
    6 generator file=../registry/proto
    `,
  ],
  [
    'CMake and build.rs',
    'CMakeLists.txt',
    `
    get_filename_component(proto "../../protos/cart.proto" ABSOLUTE)
    # protobuf_generate(PROTOS old.proto)
    protobuf_generate(TARGET x PROTOS \${CMAKE_SOURCE_DIR}/protos/ads.proto LANGUAGE grpc)
    protobuf_generate(TARGET y PROTOS "\${CMAKE_CURRENT_SOURCE_DIR}/../registry/orders.proto" \${A}/../b/c.proto)
    `,
    `
    1 generator file=../../protos/cart.proto
    3 generator file=protos/ads.proto
    4 generator file=../registry/orders.proto
    4 generator file=../b/c.proto
    `,
  ],
  [
    'Rust',
    'build.rs',
    `
    fn main() {
        // tonic_build::compile_protos("old.proto");
        tonic_build::compile_protos("proto/cart.proto").unwrap();
        tonic_build::configure().compile(&["../protos/ads.proto"], &["../protos"]);
        tonic_build::compile_protos(concat!(env!("CARGO_MANIFEST_DIR"), "/../protos/mail.proto")).unwrap();
    }
    `,
    `
    3 generator file=proto/cart.proto
    4 generator file=../protos/ads.proto
    5 generator file=../protos/mail.proto
    `,
  ],
  [
    'scripts',
    'genproto.sh',
    `
    #!/bin/bash
    # protoc old.proto
    PROTO=../../protos/cart.proto
    protoc -I ../../protos \\
      --go_out=. \\
      "$PROTO" ads.proto
    python -m grpc_tools.protoc -I../protos --python_out=. ../protos/mail.proto
    protoc --proto_path=src/protos --js_out=. $FILES
    openapi-generator-cli generate -i https://acme.com/openapi.json -g go -o out
    docker run --rm openapitools/openapi-generator-cli generate -i api/orders.yaml -g python-fastapi -o out
    swagger generate server -f api/carts.yaml
    echo done
    `,
    `
    4 generator file=../../protos/cart.proto
    4 generator file=ads.proto
    7 generator file=../protos/mail.proto
    8 generator file=src/protos
    9 generator file=https://acme.com/openapi.json
    10 generator file=api/orders.yaml role=server
    11 generator file=api/carts.yaml role=server
    `,
  ],
  [
    'manifests',
    'package.json',
    `
    {
      "scripts": {
        "proto": "grpc_tools_node_protoc --js_out=. -I ../protos cart.proto",
        "api": "openapi-typescript ./specs/api.yaml -o schema.d.ts",
        "test": "node --test"
      },
      "dependencies": { "@buf/acme_petapis.bufbuild_es": "1.0.0", "openapi-typescript": "1" }
    }
    `,
    `
    3 generator file=cart.proto
    4 generator file=./specs/api.yaml
    7 dependency module=buf.build/acme/petapis
    `,
  ],
  [
    'modules of a registry that code is generated from, by scripts',
    'Makefile',
    `
    SOLO := buf.build/acme/solo
    # buf generate buf.build/acme/old
    gen:
    	buf generate buf.build/acme/petapis:v1.2 --template buf.gen.go.yaml
    	buf export $(SOLO) -o protos
    	buf generate && buf lint
    	buf push buf.build/acme/mine
    `,
    `
    4 dependency module=buf.build/acme/petapis
    5 dependency module=buf.build/acme/solo
    `,
  ],
  [
    'by images',
    'Dockerfile',
    'FROM node\nRUN ["buf", "generate", "buf.build/acme/solo"]\n',
    '2 dependency module=buf.build/acme/solo',
  ],
  [
    'by scripts of packages',
    'package.json',
    '{\n  "scripts": { "gen": "buf generate buf.build/acme/solo" }\n}\n',
    '2 dependency module=buf.build/acme/solo',
  ],
  [
    'and by workflows',
    '.github/workflows/gen.yml',
    'jobs:\n  gen:\n    steps:\n      - run: buf generate buf.build/acme/solo\n      - run: buf generate\n',
    '4 dependency module=buf.build/acme/solo',
  ],
  [
    'modules of Go',
    'go.mod',
    'module x\nrequire buf.build/gen/go/acme/petapis/connectrpc/go v1.0.0\n',
    '2 dependency module=buf.build/acme/petapis',
  ],
  [
    'directives of Go',
    'gen.go',
    `
    package gen
    //go:generate protoc --go_out=. ../protos/cart.proto
    //go:generate oapi-codegen -generate types -o out.go -package gen ../api/openapi.yaml
    //go:generate oapi-codegen -generate types,chi-server -o srv.go -package gen ../api/orders.yaml
    // protoc old.proto
    `,
    `
    2 generator file=../protos/cart.proto
    3 generator file=../api/openapi.yaml
    4 generator file=../api/orders.yaml role=server
    `,
  ],
  [
    'scripts of Python',
    'run_codegen.py',
    `
    from grpc_tools import protoc
    protoc.main((
        '',
        '-I../../protos',
        '--grpc_python_out=.',
        '../../protos/helloworld.proto',
    ))
    `,
    '6 generator file=../../protos/helloworld.proto',
  ],
  [
    'tools that call methods',
    'smoke.sh',
    `
    #!/bin/sh
    SERVICE=acme.team.v1.TeamService
    # grpcurl x:1 acme.old.v1.OldService/Get
    grpcurl -plaintext -d '{}' \\
      users:9090 acme.user.v2.UserService/GetUser
    NAME=$(grpcurl teams:9090 $SERVICE/GetTeam)
    grpcurl users:9090 grpc.health.v1.Health/Check
    grpcurl users:9090 describe acme.user.v2.UserService
    curl http://x/acme.user.v2.OtherService/GetUser
    `,
    `
    5 client UserService fullName=acme.user.v2.UserService
    6 client TeamService fullName=acme.team.v1.TeamService
    `,
  ],
  [
    'in workflows',
    '.github/workflows/smoke.yml',
    'jobs:\n  smoke:\n    steps:\n      - run: grpcurl users:9090 acme.user.v2.UserService/GetUser\n',
    '4 client UserService fullName=acme.user.v2.UserService',
  ],
  [
    'and in Makefiles',
    'Makefile',
    'load:\n\tghz --insecure --call "acme.user.v2.UserService/GetUser" users:9090\n',
    '2 client UserService fullName=acme.user.v2.UserService',
  ],
]);
