import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'gRPC of C++',
    'client.cc',
    `
    #include <grpcpp/grpcpp.h>
    #include "shop/v1/cart.grpc.pb.h"
    using shop::v1::CartService;
    namespace ads = shop::ads;
    class Impl final : public shop::v1::CheckoutService::Service {
      std::unique_ptr<CartService::Stub> stub_;
      // OtherService::NewStub(channel)
      Impl(std::shared_ptr<Channel> c) : stub_(CartService::NewStub(c)), ads_(ads::AdService::NewStub(c)) {}
      MailService::AsyncService service_;
      const char* raw = R"(TextService::NewStub(c))";
    };
    class Callback : public PayService::CallbackService {};
    class Own : public grpc::Service {};
    `,
    `
    2 stub-import CartService file=shop/v1/cart.proto from=shop.v1
    5 server CheckoutService from=shop.v1
    6 stub-import CartService from=shop.v1
    8 client CartService from=shop.v1
    8 client AdService from=shop.ads
    9 server MailService
    12 server PayService
    `,
  ],
  [
    'includes of C++ that are of no service that is used',
    'b.cc',
    `
    #include "gen/stock.grpc.pb.h"
    #include "pay.pb.h"
    auto stub = inv::Inventory::NewStub(c);
    `,
    `
    1 stub-import Inventory file=gen/stock.proto from=inv
    2 stub-import file=pay.proto from=pay.pb.h
    3 client Inventory from=inv
    `,
  ],
  [
    'gRPC of Ruby',
    'client.rb',
    `
    require 'grpc'
    require_relative 'lib/cart_services_pb'
    # Shop::Other::Stub.new('x')
    class Impl < Shop::V1::CheckoutService::Service
    end
    stub = Shop::V1::CartService::Stub.new('localhost', :this_channel_is_insecure)
    products = ::Gruf::Client.new(service: ::Rpc::Products)
    bind ::Rpc::Orders::Service
    `,
    `
    2 stub-import file=cart.proto from=lib/cart_services_pb
    4 server CheckoutService from=Shop::V1
    6 client CartService from=Shop::V1
    7 client Products from=Rpc
    8 server Orders from=Rpc
    `,
  ],
  [
    'gRPC of PHP',
    'client.php',
    `
    <?php
    use Shop\\V1\\CartServiceClient;
    use GuzzleHttp\\HttpClient;
    $cart = new CartServiceClient($host, ['credentials' => \\Grpc\\ChannelCredentials::createInsecure()]);
    $ads = new \\Shop\\Ads\\AdServiceClient($host, $options);
    $http = new HttpClient(['base_uri' => 'x']);
    # new \\Shop\\OtherClient($host, [])
    `,
    `
    2 stub-import CartService from=Shop.V1
    4 client CartService from=Shop.V1
    5 client AdService from=Shop.Ads
    `,
  ],
  [
    'clients of PHP that speak HTTP',
    'http.php',
    '<?php\nuse Acme\\Billing\\BillingClient;\n$a = new BillingClient($http); $b = new \\Stripe\\StripeClient("sk");\n',
    '',
  ],
  [
    'clients of PHP that are made as those of gRPC, without a word of it',
    'cart.php',
    `
    <?php
    use Shop\\Cart\\V1\\CartServiceClient;
    use Acme\\Billing\\BillingClient;
    use Aws\\S3\\S3Client;
    use Local\\OtherClient;
    $cart = new CartServiceClient('cart:50051', []);
    $ads = new \\Shop\\Ads\\AdServiceClient($host, ['credentials' => null]);
    $http = new \\GuzzleHttp\\Client(['base_uri' => 'x']);
    $s3 = new S3Client(['region' => 'x']);
    $billing = new BillingClient('https://billing.acme.com', ['retries' => 1]);
    $slow = new BillingClient($host, ['timeout' => 1]);
    $other = new OtherClient($host, []);
    `,
    `
    6 client CartService from=Shop.Cart.V1
    7 client AdService from=Shop.Ads
    `,
  ],
  [
    'clients of PHP that are handed over',
    'reserve.php',
    `
    <?php
    use Stock\\V1\\StockServiceClient;
    use GuzzleHttp\\ServiceClient;
    use App\\MailClient;
    class X {
      public function __construct(private StockServiceClient $c) {}
      function f() { $this->c->Reserve($r)->wait(); }
    }
    `,
    '2 stub-import StockService from=Stock.V1',
  ],
  [
    'a server of PHP',
    'server.php',
    `
    <?php
    use Service\\EchoInterface;
    use Spiral\\RoadRunner\\GRPC;
    class EchoService implements EchoInterface {
      public function Ping(GRPC\\ContextInterface $ctx, Message $in): Message {}
    }
    $server->registerService(EchoInterface::class, new EchoService());
    `,
    `
    4 server Echo from=Service
    7 server Echo from=Service
    `,
  ],
  [
    'gRPC of Dart',
    'lib/main.dart',
    `
    import 'package:grpc/grpc.dart';
    import 'src/generated/cart.pbgrpc.dart';
    import 'src/generated/ads.pbgrpc.dart' as ads;
    class Impl extends GreeterServiceBase {}
    final cart = CartServiceClient(channel);
    final a = ads.AdServiceClient(ClientChannel('x'));
    final h = HttpClient(); class OwnClient {}
    `,
    `
    2 stub-import file=cart.proto from=src/generated/cart.pbgrpc.dart
    3 stub-import file=ads.proto from=src/generated/ads.pbgrpc.dart
    4 server GreeterService
    4 server Greeter
    5 client CartService from=src/generated/cart.pbgrpc.dart
    6 client AdService from=src/generated/ads.pbgrpc.dart
    `,
  ],
  [
    'packages of Dart, by the whole path of the import',
    'lib/cart.dart',
    "import 'package:x/shop/cart/v1/cart.pbgrpc.dart';\nfinal cart = CartServiceClient(channel);\n",
    `
    1 stub-import file=cart.proto from=package:x/shop/cart/v1/cart.pbgrpc.dart
    2 client CartService from=package:x/shop/cart/v1/cart.pbgrpc.dart
    `,
  ],
  [
    'clients of Dart that are handed over',
    'lib/reserve.dart',
    `
    import 'package:x/gen/stock.pbgrpc.dart';
    import 'package:x/gen/ads.pbgrpc.dart' as ads;
    class OwnClient { final StockServiceClient c; OwnClient(this.c); f() => c.reserve(Req()); }
    void g(ads.AdServiceClient a, StockServiceClient b, HttpClient c, OwnClient d) {}
    `,
    `
    1 stub-import file=stock.proto from=package:x/gen/stock.pbgrpc.dart
    2 stub-import file=ads.proto from=package:x/gen/ads.pbgrpc.dart
    3 stub-import StockService from=package:x/gen/stock.pbgrpc.dart
    4 stub-import AdService from=package:x/gen/ads.pbgrpc.dart
    `,
  ],
  [
    'clients of Dart that are no stubs',
    'a.dart',
    "import 'package:http/http.dart';\nfinal a = StorageClient(channel);\n",
    '',
  ],
  [
    'gRPC of Swift',
    'main.swift',
    `
    import GRPC
    let a = Shop_V1_CartServiceNIOClient(channel: connection)
    let b = Shop_V1_AdService.Client(wrapping: client)
    final class Impl: Helloworld_GreeterAsyncProvider {}
    struct Simple: Shop_V1_MailService.SimpleServiceProtocol {}
    let c = HTTPClient(eventLoopGroupProvider: .createNew) // X_YClient(channel: c)
    `,
    `
    2 client CartService from=Shop_V1
    3 client AdService from=Shop_V1
    3 type-import from=Shop.V1 type=AdService
    4 server Greeter from=Helloworld
    5 server MailService from=Shop_V1
    5 type-import from=Shop.V1 type=MailService
    `,
  ],
  [
    'gRPC of Objective-C',
    'main.m',
    `
    #import <HelloWorld/Helloworld.pbrpc.h>
    HLWGreeter *service = [[HLWGreeter alloc] initWithHost:host];
    `,
    `
    1 stub-import file=HelloWorld/Helloworld.proto from=HelloWorld/Helloworld.pbrpc.h
    2 client HLWGreeter
    2 client Greeter
    `,
  ],
  [
    'gRPC of Elixir and Erlang',
    'lib/client.ex',
    `
    defmodule Client do
      alias Shop.V1.{CartService, AdService}
      use GRPC.Server, service: Shop.V1.CheckoutService.Service
      def run(channel) do
        {:ok, channel} = GRPC.Stub.connect("localhost:50051")
        CartService.Stub.get_cart(channel, request)
        channel |> Helloworld.Greeter.Stub.say_hello(request)
        # AdService.Stub.get_ads(channel, request)
      end
    end
    `,
    `
    2 type-import from=Shop.V1 type=CartService
    2 type-import from=Shop.V1 type=AdService
    3 server CheckoutService from=Shop.V1
    6 client CartService from=Shop.V1
    7 client Greeter from=Helloworld
    `,
  ],
  [
    'clients that grpcbox makes for Erlang',
    'src/inv.erl',
    `
    f() -> inv_v1_inventory_client:reserve(Ctx, R), my_http_client:get(U).
    % inv_v1_orders_client:reserve(Ctx, R)
    `,
    '1 client Inventory from=inv.v1',
  ],
  [
    'clients that grpcbox makes for Erlang, of packages without a version',
    'src/route.erl',
    'f() -> grpcbox_client:unary(C), routeguide_route_guide_client:get_feature(Ctx, R), greeter_client:hi(Ctx, R).\n',
    `
    1 client RouteGuide from=routeguide
    1 client Greeter
    `,
  ],
  [
    'routes of Ruby',
    'config/routes.rb',
    `
    Rails.application.routes.draw do
      namespace :api do
        get 'carts/:id', to: 'carts#show'
        resources :orders, only: [:index] do
          post 'cancel'
        end
      end
      post '/login', to: 'x#y'
    end
    `,
    `
    3 route GET /api/carts/{}
    4 route GET /api/orders
    5 route POST /api/orders/{}/cancel
    8 route POST /login
    `,
  ],
  [
    'routes of PHP',
    'routes.php',
    `
    <?php
    Route::get('/carts/{id}', [CartController::class, 'show']);
    $app->post('/login', Login::class);
    $response = $this->client->request('GET', "http://stock/stock/{$id}");
    Http::withToken($t)->post("$base/orders", $body);
    #[Route('/api/users')]
    class Users {
      #[Route('/{id}', methods: ['PUT'])]
      function put() {}
    }
    `,
    `
    2 route GET /carts/{}
    3 route POST /login
    4 route-call GET stock /stock/{}
    5 route-call POST /orders
    8 route PUT /api/users/{}
    `,
  ],
  [
    'routes of Rust',
    'src/http.rs',
    `
    use reqwest::Client;
    #[get("/carts/{id}")]
    async fn one() {}
    fn app() { Router::new().route("/orders/:id", get(show).delete(remove)); axum::x; }
    async fn call() {
        client.post(format!("{}/get-quote", base)).send();
        reqwest::get("http://ratings:80/ratings").await;
    }
    `,
    `
    2 route GET /carts/{}
    4 route GET /orders/{}
    4 route DELETE /orders/{}
    6 route-call POST /get-quote
    7 route-call GET ratings:80 /ratings
    `,
  ],
  [
    'routes of Elixir',
    'lib/router.ex',
    `
    defmodule App.Router do
      scope "/api", App do
        get "/carts/:id", CartController, :show
        resources "/orders", OrderController, except: [:new, :edit, :delete]
      end
      def call(id), do: HTTPoison.get!("http://stock/stock/#{id}")
    end
    `,
    `
    3 route GET /api/carts/{}
    4 route GET /api/orders
    4 route POST /api/orders
    4 route GET /api/orders/{}
    4 route PUT /api/orders/{}
    4 route PATCH /api/orders/{}
    6 route-call GET stock /stock/{}
    `,
  ],
  [
    'generated code of other languages',
    'lib/gen.rs',
    `
    /// Generated client implementations.
    pub mod greeter_client {
        let path = http::uri::PathAndQuery::from_static("/helloworld.Greeter/SayHello");
        pub struct GreeterClient<T> { inner: tonic::client::Grpc<T> }
    }
    `,
    '3 generated Greeter fullName=helloworld.Greeter',
  ],
  [
    'generated code of Elixir',
    'lib/cart.pb.ex',
    'defmodule Shop.CartService.Service do\n  use GRPC.Service, name: "shop.CartService", protoc_gen_elixir_version: "0.11.0"\nend\n',
    '2 generated CartService fullName=shop.CartService file=cart.proto',
  ],
]);
