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

const cases: readonly Case[] = [
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
];

for (const [name, repositories, edges] of cases) {
  test(name, () => {
    const told = edgesTold(linkContracts(membersIn(repositories)).edges);
    assert.equal(told, edges === '' ? '' : unindented(edges).trim());
  });
}
