import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'settings',
    'orval.config.ts',
    "export default { petstore: { input: './petstore.yaml', output: './src/a.ts' } };\n",
    '1 generator file=./petstore.yaml',
  ],
  [
    'settings of openapi-generator, by the names that it has for them',
    'openapi-generator-config.yaml',
    `
    # inputSpec: old.yaml
    generatorName: typescript-fetch
    inputSpec: ../specs/petstore.yaml # of the shop
    outputDir: src/gen
    additionalProperties:
      npmName: "inputSpec: no.yaml"
    `,
    '3 generator file=../specs/petstore.yaml',
  ],
  [
    'of several generators',
    'gen/clients.yml',
    'a:\n  - generatorName: go\n    inputSpec: "https://acme.com/orders/openapi.json"\n  - inputSpec: \'$ROOT/specs/a.yaml\'\n    generatorName: java\n',
    '3 generator file=https://acme.com/orders/openapi.json\n4 generator file=specs/a.yaml',
  ],
  [
    'of a server beside a client',
    'pom.xml',
    `
    <project>
      <execution><configuration>
        <inputSpec>api/orders.yaml</inputSpec><generatorName>spring</generatorName>
      </configuration></execution>
      <execution><configuration>
        <inputSpec>api/carts.yaml</inputSpec><generatorName>java</generatorName>
      </configuration></execution>
    </project>
    `,
    '3 generator file=api/orders.yaml role=server\n6 generator file=api/carts.yaml',
  ],
  [
    'of a server in Gradle',
    'build.gradle.kts',
    'openApiGenerate {\n  generatorName.set("kotlin-spring")\n  inputSpec.set("$rootDir/api/orders.yaml")\n}\n',
    '3 generator file=api/orders.yaml role=server',
  ],
  [
    'of Spring’s client',
    'build.gradle',
    "openApiGenerate {\n  generatorName = 'spring'\n  library = 'spring-cloud'\n  inputSpec = 'api/orders.yaml'\n}\n",
    '4 generator file=api/orders.yaml',
  ],
  [
    'in JSON',
    'config.json',
    '{\n  "generatorName": "java",\n  "inputSpec": "./api/openapi.yaml"\n}\n',
    '3 generator file=./api/openapi.yaml',
  ],
  ['in JSON on one line', 'a.json', '{"inputSpec":"api.yaml","generatorName":"java"}', '1 generator file=api.yaml'],
  ['settings of others', 'b.yaml', 'inputSpec: api.yaml\ntext: "generatorName: go"\n', ''],
  [
    'what describes such settings',
    'c.json',
    '{"properties": {"generatorName": {"type": "string"}, "inputSpec": {"type": "string"}}, "about": "x, inputSpec: a.yaml"}',
    '',
  ],
  [
    "settings of openapi-generator's own command",
    'openapitools.json',
    `
    {
      "generator-cli": {
        "version": "7.0.0",
        "generators": {
          "orders": { "generatorName": "typescript-axios", "output": "gen/orders", "inputSpec": "#{cwd}/specs/orders.yaml" },
          "pets": { "generatorName": "go", "inputSpec": "https://acme.com/pets" }
        }
      }
    }
    `,
    '5 generator file=specs/orders.yaml\n6 generator file=https://acme.com/pets',
  ],
  [
    'oapi-codegen of a Makefile',
    'Makefile',
    'gen:\n\toapi-codegen -config cfg.yaml ../api/openapi.yaml\n\tgo run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.4.1 --config=cfg.yaml api/orders.yaml > x.go\n',
    '2 generator file=../api/openapi.yaml\n3 generator file=api/orders.yaml',
  ],
  [
    'and of directives of Go',
    'gen.go',
    'package gen\n//go:generate go run github.com/deepmap/oapi-codegen/v2/cmd/oapi-codegen@latest -config cfg.yaml ../../openapi.yaml\n//go:generate go tool oapi-codegen -o out.go -config=cfg.yml https://acme.com/openapi.json\n',
    '2 generator file=../../openapi.yaml\n3 generator file=https://acme.com/openapi.json',
  ],
  [
    'workspaces of Kiota',
    'app/.kiota/workspace.json',
    '{"version":"1.0.0","clients":{"C":{"language":"CSharp","descriptionLocation":"https://acme.com/main/api/openapi.yaml","outputPath":"./c"}}}',
    '1 generator file=https://acme.com/main/api/openapi.yaml',
  ],
  [
    'RTK Query',
    'src/store/catalog-openapi-config.ts',
    `
    import type { ConfigFile } from '@rtk-query/codegen-openapi';
    // schemaFile: './old.yaml'
    const config: ConfigFile = { schemaFile: '../catalog/api/openapi.yaml', apiFile: './empty.ts' };
    export default config;
    `,
    '3 generator file=../catalog/api/openapi.yaml',
  ],
  [
    'ng-openapi-gen',
    'ng-openapi-gen.json',
    '{"$schema":"node_modules/ng-openapi-gen/ng-openapi-gen-schema.json","input":"../catalog/api/openapi.yaml","output":"src/app/api"}',
    '1 generator file=../catalog/api/openapi.yaml',
  ],
  [
    'and its command',
    'package.json',
    '{ "scripts": { "api": "ng-openapi-gen --input ../catalog/api/openapi.yaml --output src/api" } }',
    '1 generator file=../catalog/api/openapi.yaml',
  ],
  [
    'progenitor',
    'src/lib.rs',
    `
    progenitor::generate_api!("../catalog/api/openapi.yaml");
    // generate_api!("old.json");
    mod a { generate_api!(
        interface = Builder,
        spec = "../catalog/a.json",
        tags = Separate,
    ); }
    mod b { generate_api!(spec = { path = "b.json", relative_to = OutDir }); }
    `,
    `
    1 generator file=../catalog/api/openapi.yaml
    3 generator file=../catalog/a.json
    8 generator file=b.json
    `,
  ],
  [
    'a configuration of oapi-codegen that has a server made',
    'api/cfg.yaml',
    'package: api\ngenerate:\n  models: true\n  chi-server: true\noutput: gen.go\n',
    '4 generated role=server',
  ],
  [
    'as a list',
    'api/cfg.yaml',
    'package: api\ngenerate:\n- types\n- gin-server\noutput: gen.go\n',
    '4 generated role=server',
  ],
  [
    'and with a client, or none of that',
    'api/cfg.yaml',
    'package: api\ngenerate:\n  chi-server: true\n  client: true\n',
    '',
  ],
  ['and switched off', 'api/cfg.yaml', 'generate:\n  models: true\n  echo-server: false\n', ''],
  ['and elsewhere', 'api/cfg.yaml', 'generate:\n  models: true\nnames:\n  echo-server: true\n', ''],
]);
