import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'packages that are loaded, by helpers of the file too',
    'server.js',
    `
    const path = require('path');
    const grpc = require('@grpc/grpc-js');
    const protoLoader = require('@grpc/proto-loader');
    const MAIN_PROTO = path.join(__dirname, './protos/shop.proto');
    const HEALTH_PROTO = path.join(__dirname, './protos/grpc/health/v1/health.proto');
    const shopProto = load(MAIN_PROTO).acme.shop;
    const healthProto = load(HEALTH_PROTO).grpc.health.v1;

    function load (path) {
      const packageDefinition = protoLoader.loadSync(path, { keepCase: true });
      return grpc.loadPackageDefinition(packageDefinition);
    }
    // new shopProto.IgnoredService('x', grpc.credentials.createInsecure())
    const cart = new shopProto.CartService('localhost', grpc.credentials.createInsecure());
    const { AdService } = shopProto;
    const ads = new AdService('localhost', creds);
    server.addService(shopProto.StockService.service, { count });
    server.addService(healthProto.Health.service, { check });
    `,
    `
    6 load file=./protos/shop.proto
    7 load file=./protos/grpc/health/v1/health.proto
    14 client CartService from=acme.shop fullName=acme.shop.CartService file=./protos/shop.proto
    16 client AdService from=acme.shop fullName=acme.shop.AdService file=./protos/shop.proto
    17 server StockService from=acme.shop fullName=acme.shop.StockService file=./protos/shop.proto
    18 server Health from=grpc.health.v1 fullName=grpc.health.v1.Health file=./protos/grpc/health/v1/health.proto
    `,
  ],
  [
    'packages that are loaded in TypeScript',
    'client.ts',
    `
    const definition = loadSync('protos/cart.proto');
    const proto = (grpc.loadPackageDefinition(definition) as any).shop.v1;
    const Root = grpc.loadPackageDefinition(definition) as unknown as ProtoGrpcType;
    class Client {
      private shop = grpc.loadPackageDefinition(definition)['shop'];
      connect() {
        this.cart = new proto.CartService(address, credentials.createInsecure());
        this.ads = new Root.shop.AdService(address, creds);
        return new this.shop.v1.MailService(address, creds);
      }
    }
    const other = new remote.PayService(address, grpc.credentials.createSsl());
    const whole = grpc.loadPackageDefinition(loadSync('protos/cart.proto'));
    server.addService(whole.shop.service.v1.StockService.service, impl);
    `,
    `
    1 load file=protos/cart.proto
    7 client CartService from=shop.v1 fullName=shop.v1.CartService file=protos/cart.proto
    8 client AdService from=shop fullName=shop.AdService file=protos/cart.proto
    9 client MailService from=shop.v1 fullName=shop.v1.MailService file=protos/cart.proto
    12 client PayService
    13 load file=protos/cart.proto
    14 server StockService from=shop.service.v1 fullName=shop.service.v1.StockService file=protos/cart.proto
    `,
  ],
  [
    'generated clients: grpc-js, grpc-web, protobuf-ts, ts-proto, nice-grpc',
    'clients.ts',
    `
    import { CartServiceClient } from './gen/cart_grpc_pb';
    import { AdServicePromiseClient } from './ads_grpc_web_pb';
    import { MailServiceClient } from './mail.client';
    import { PayServiceClientImpl } from './pay';
    import { ShipServiceDefinition } from './compiled_proto/ship';
    import type { StorageClient } from './storage';
    import { GrpcWebFetchTransport } from '@protobuf-ts/grpcweb-transport';
    const a = new CartServiceClient('localhost', creds);
    const b = new AdServicePromiseClient('http://localhost');
    const c = new MailServiceClient(transport);
    const d = new PayServiceClientImpl(rpc);
    const e = createClient(ShipServiceDefinition, channel);
    const f = new StorageClient(options), g = new HttpClient(transport), h = new S3Client({});
    const i = grpc.makeGenericClientConstructor(definition, 'shop.v1.StockService', {});
    `,
    `
    1 stub-import CartService from=./gen/cart_grpc_pb file=cart.proto
    2 stub-import AdService from=./ads_grpc_web_pb file=ads.proto
    3 stub-import MailService from=./mail.client file=mail.proto
    5 stub-import ShipService from=./compiled_proto/ship
    8 client CartService from=./gen/cart_grpc_pb file=cart.proto
    9 client AdService from=./ads_grpc_web_pb file=ads.proto
    10 client MailService from=./mail.client file=mail.proto
    11 client PayService from=./pay
    12 client ShipService from=./compiled_proto/ship
    14 client StockService fullName=shop.v1.StockService
    `,
  ],
  [
    'Connect, and modules of a registry',
    'connect.ts',
    `
    import { createClient } from '@connectrpc/connect';
    import { ElizaService } from '@buf/acme_eliza.bufbuild_es/eliza/v1/eliza_pb.js';
    import { CartService } from './gen/shop/v1/cart_connect.js';
    const client = createClient(ElizaService, transport);
    export default router => {
      router.service(CartService, { get() {} });
    };
    `,
    `
    2 stub-import ElizaService from=@buf/acme_eliza.bufbuild_es/eliza/v1/eliza_pb.js file=eliza.proto module=buf.build/acme/eliza
    3 stub-import CartService from=./gen/shop/v1/cart_connect.js file=cart.proto
    4 client ElizaService from=@buf/acme_eliza.bufbuild_es/eliza/v1/eliza_pb.js file=eliza.proto
    6 server CartService from=./gen/shop/v1/cart_connect.js file=cart.proto
    `,
  ],
  [
    'generated servers',
    'server.ts',
    `
    import * as services from './cart_grpc_pb';
    import { AdServiceService } from './gen/ads';
    import { MailDefinition } from './gen/mail';
    server.addService(services.CartServiceService, impl);
    server.addService(AdServiceService, impl);
    server.add(MailDefinition, impl);
    set.add(Value, 1);
    import * as grpc from '@grpc/grpc-js';
    `,
    `
    1 stub-import from=./cart_grpc_pb file=cart.proto
    2 stub-import AdServiceService from=./gen/ads
    3 stub-import Mail from=./gen/mail
    4 server CartService from=./cart_grpc_pb file=cart.proto
    5 server AdService from=./gen/ads
    6 server Mail from=./gen/mail
    `,
  ],
  [
    'NestJS',
    'hero.controller.ts',
    `
    import { Controller, Get } from '@nestjs/common';
    const options = { transport: Transport.GRPC, options: { package: 'hero', protoPath: join(__dirname, './hero/hero.proto') } };
    @Controller('hero')
    export class HeroController {
      onModuleInit() {
        this.a = this.client.getService<HeroesService>('HeroesService');
        this.b = this.client.getService<VillainServiceClient>(VILLAIN_SERVICE_NAME);
      }
      @GrpcMethod('HeroesService', 'FindOne') one() {}
      @GrpcStreamMethod('VillainService') all() {}
      @GrpcMethod() two() {}
      @Get(':id') get() {}
      @Get() all() {}
    }
    `,
    `
    2 load file=./hero/hero.proto from=hero
    6 client HeroesService
    7 client VillainService
    9 server HeroesService
    10 server VillainService
    11 server HeroController
    12 route GET /hero/{}
    13 route GET /hero
    `,
  ],
  [
    'packages that options of NestJS name beside the files that declare them',
    'options.ts',
    `
    const USERS = 'acme.user.v2';
    export const a = { transport: Transport.GRPC, options: { package: [USERS, 'acme.team.v1'], loader: { keepCase: true }, protoPath: ['user.proto', 'team.proto'] } };
    export const b = { options: { protoPath: join(__dirname, 'mail.proto'), package: mail.ACME_MAIL_V1_PACKAGE_NAME } };
    export const c = { options: { package: config.get('package'), protoPath: 'ads.proto' } };
    export const d = { package: 'none', options: { protoPath: 'none.proto' } };
    export const e = { options: { package: 'acme.pay.v1', protoPath: pathOf('pay') } };
    export const f = { options: { protoPath: pathOf('none') } };
    `,
    `
    2 load file=user.proto among=acme.user.v2|acme.team.v1
    2 load file=team.proto among=acme.user.v2|acme.team.v1
    3 load file=mail.proto from=acme.mail.v1
    4 load file=ads.proto
    5 load file=none.proto
    6 load from=acme.pay.v1
    `,
  ],
  [
    'methods that k6 calls',
    'load.js',
    `
    import grpc from 'k6/net/grpc';
    const client = new grpc.Client();
    client.load(['/protos', 'more'], 'acme/user/v2/user.proto', 'acme/team.proto');
    export default () => {
      client.connect('users:9090');
      client.invoke('acme.user.v2.UserService/GetUser', {});
      new grpc.Stream(client, 'acme.user.v2.UserService/WatchUsers');
    };
    `,
    `
    3 load file=acme/user/v2/user.proto
    3 load file=acme/team.proto
    6 client UserService fullName=acme.user.v2.UserService
    7 client UserService fullName=acme.user.v2.UserService
    `,
  ],
  [
    'but not paths that others invoke',
    'other.js',
    "import grpc from '@grpc/grpc-js';\nbus.invoke('acme.user.v2.UserService/GetUser', {});\n",
    '',
  ],
  [
    'routes that are called and served',
    'routes.ts',
    `
    const API = '/api';
    fetch(\`\${base}/api/carts/\${cart.id ?? f({ a: \`x\` })}?x=1\`);
    fetch('/api/orders', { method: 'POST', body });
    axios.get<Cart>(\`http://cart:8080/carts/\${id}\`);
    axios({ method: 'put', url: API + '/users/' + id });
    this.http.delete(this.base + '/things');
    app.get('/carts/:id', (req, res) => {});
    router.post('/login', auth, handler);
    fastify.route({ method: 'GET', url: '/stock/:sku', handler });
    app.get('env');
    map.get('/x'); cache.get('/y');
    const re = /["'\`]/; fetch('/after');
    `,
    `
    2 route-call GET /api/carts/{}
    3 route-call POST /api/orders
    4 route-call GET cart:8080 /carts/{}
    5 route-call PUT /api/users/{}
    6 route-call DELETE /things
    7 route GET /carts/{}
    8 route POST /login
    9 route GET /stock/{}
    12 route-call GET /after
    `,
  ],
  [
    'a page of Next.js',
    'src/pages/api/carts/[id].ts',
    'export const handler = () => fetch;\nfetch("x")',
    '1 route * /api/carts/{}',
  ],
  [
    'a route of Next.js',
    'src/app/(shop)/api/carts/[...slug]/route.ts',
    'export async function GET() {}\nexport const POST = f(fetch("x"))',
    '1 route GET /api/carts/{}\n2 route POST /api/carts/{}',
  ],
  [
    'clients of OpenAPI',
    'pets.ts',
    `
    import createClient from 'openapi-fetch';
    import type { paths } from './schema';
    import { PetApi, Configuration } from './generated/petstore';
    const a = createClient<paths>({ baseUrl });
    const b = new PetApi(new Configuration({ basePath }));
    const c = new ElectronApi(x);
    `,
    `
    4 openapi-client from=./schema
    5 openapi-client PetApi from=./generated/petstore
    `,
  ],
  [
    'code of ts-proto',
    'gen/cart.ts',
    `
    // Code generated by protoc-gen-ts_proto. DO NOT EDIT.
    //   source: shop/v1/cart.proto
    export const protobufPackage = "shop.v1";
    export const CartServiceDefinition = { name: "CartService", fullName: "shop.v1.CartService", methods: {} };
    `,
    '4 generated CartService fullName=shop.v1.CartService file=shop/v1/cart.proto',
  ],
  [
    'code of protoc-gen-es',
    'gen/cart_pb.ts',
    `
    // @generated by protoc-gen-es v2.0.0
    // @generated from file shop/v1/cart.proto (package shop.v1, syntax proto3)
    /**
     * @generated from service shop.v1.CartService
     */
    export const CartService: GenService<{}> = serviceDesc(file_shop_v1_cart, 0);
    `,
    '4 generated CartService fullName=shop.v1.CartService file=shop/v1/cart.proto',
  ],
  [
    'code of an OpenAPI generator',
    'gen/api.ts',
    `
    /* tslint:disable */
    /**
     * Swagger Petstore
     * This is a sample server.
     *
     * The version of the OpenAPI document: 1.0.0
     *
     * NOTE: This class is auto generated by OpenAPI Generator (https://openapi-generator.tech).
     */
    import { Configuration } from './configuration';
    const localVarPath = \`/pet/{petId}\`;
    `,
    '8 openapi-client title=Swagger Petstore\n11 route-call * /pet/{}',
  ],
  [
    'code of a server that was generated from OpenAPI',
    'api/default.ts',
    '// Code generated by github.com/deepmap/oapi-codegen version v1.8.2 DO NOT EDIT.\ninterface ServerInterface {}\n',
    '1 generated role=server',
  ],
  [
    'packages, by the whole paths of imports, and services under other names',
    'packages.ts',
    `
    import { CartServiceClient } from '../gen/shop/cart/v1/cart_grpc_pb';
    import { CartService as Wholesale } from '@buf/acme_cart.bufbuild_es/wholesale/cart/v1/cart_pb';
    const ads = require('../gen/shop/ads/v1/ads_grpc_pb');
    const cart = new CartServiceClient(address, creds);
    const other = createClient(Wholesale, transport);
    const ad = new ads.AdServiceClient(address, creds);
    `,
    `
    1 stub-import CartService from=../gen/shop/cart/v1/cart_grpc_pb file=cart.proto
    2 stub-import CartService from=@buf/acme_cart.bufbuild_es/wholesale/cart/v1/cart_pb file=cart.proto module=buf.build/acme/cart
    3 stub-import from=../gen/shop/ads/v1/ads_grpc_pb file=ads.proto
    4 client CartService from=../gen/shop/cart/v1/cart_grpc_pb file=cart.proto
    5 client CartService from=@buf/acme_cart.bufbuild_es/wholesale/cart/v1/cart_pb file=cart.proto
    6 client AdService from=../gen/shop/ads/v1/ads_grpc_pb file=ads.proto
    `,
  ],
]);
