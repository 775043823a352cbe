import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'gRPC of Java: stubs made, injected and mentioned, static imports, implementations',
    'src/main/java/shop/Checkout.java',
    `
    package com.acme.checkout;

    import com.acme.shop.v1.CartServiceGrpc;
    import com.acme.shop.v1.AdServiceGrpc.AdServiceBlockingStub;
    import static com.acme.pay.v1.PaymentServiceGrpc.newBlockingStub;

    /** See OtherServiceGrpc.newBlockingStub(channel). */
    class Checkout extends CheckoutServiceGrpc.CheckoutServiceImplBase {
      private final CartServiceGrpc.CartServiceFutureStub later;
      @GrpcClient("ads") private AdServiceBlockingStub ads;
      Checkout(Channel channel) {
        var cart = CartServiceGrpc.newBlockingStub(channel);
        var payment = newBlockingStub(channel);
        var shipping = com.acme.ship.v1.ShippingServiceGrpc
            .newStub(channel);
        var email = GrpcClients.newClient(uri, EmailServiceGrpc.EmailServiceBlockingStub.class);
        server.addService(MailServiceGrpc.bindService(this));
        ClientCalls.blockingUnaryCall(channel.newCall("/grpc.health.v1.Health/Check"));
        String text = "XServiceGrpc.newStub(channel)";
      }
    }
    `,
    `
    3 stub-import CartService from=com.acme.shop.v1
    4 stub-import AdService from=com.acme.shop.v1
    5 stub-import PaymentService from=com.acme.pay.v1
    8 server CheckoutService from=com.acme.checkout
    9 stub-import CartService from=com.acme.shop.v1
    10 client AdService from=com.acme.shop.v1
    12 client CartService from=com.acme.shop.v1
    13 client PaymentService from=com.acme.pay.v1
    14 client ShippingService from=com.acme.ship.v1
    16 client EmailService from=com.acme.checkout
    17 server MailService from=com.acme.checkout
    18 client Health fullName=grpc.health.v1.Health
    `,
  ],
  [
    'of several packages that are open, all are told',
    'A.java',
    `
    package a;
    import acme.*;
    class A extends shop.AdServiceGrpc.AdServiceImplBase { Object stub = CartServiceGrpc.newStub(channel); HttpClient c = new HttpClient(channel); }
    `,
    '3 server AdService from=shop\n3 client CartService among=acme|a',
  ],
  [
    'Quarkus',
    'Hello.java',
    `
    import org.acme.Greeter;
    import io.quarkus.grpc.GrpcClient;
    @GrpcService
    public class HelloService implements Greeter {
      @GrpcClient("hello") Payments payments;
      @Inject @GrpcClient
      MutinyOrdersGrpc.MutinyOrdersStub orders;
    }
    `,
    `
    4 server Greeter from=org.acme
    5 client Payments
    7 client Orders
    `,
  ],
  [
    'gRPC of Kotlin, and Connect',
    'App.kt',
    `
    package app
    import shop.v1.CartServiceGrpcKt.CartServiceCoroutineStub
    import shop.v1.ElizaServiceClient
    import com.connectrpc.impl.ProtocolClient

    class Ads : AdServiceGrpcKt.AdServiceCoroutineImplBase() {
      private val cart = CartServiceCoroutineStub(channel)
      val orders by lazy { OrderServiceGrpcKt.OrderServiceCoroutineStub(channel) }
      val eliza = ElizaServiceClient(protocolClient)
      val http = HttpClient(CIO)
    }
    `,
    `
    2 stub-import CartService from=shop.v1
    6 server AdService from=app
    7 client CartService from=shop.v1
    8 client OrderService from=app
    9 client ElizaService from=shop.v1
    `,
  ],
  [
    'ScalaPB, Akka and ZIO',
    'App.scala',
    `
    package app
    import example.{GreeterGrpc, HelloRequest}
    import akka.grpc.GrpcClientSettings
    object App {
      val a = GreeterGrpc.stub(channel)
      val b = EchoServiceClient(GrpcClientSettings.connectToServiceAt("h", 1))
      class Impl extends GreeterGrpc.Greeter {}
      val c = EchoServiceHandler(new EchoImpl)
      val d = ZioShop.CartServiceClient.live(channel)
      val e = StockClient(clientSettings)
      val f = OwnClient(channel)
    }
    `,
    `
    2 stub-import Greeter from=example
    5 client Greeter from=example
    6 client EchoService from=app
    7 server Greeter from=example
    8 server EchoService from=app
    9 client CartService from=app
    10 client Stock from=app
    `,
  ],
  [
    'routes of Spring, with those that Feign and RestTemplate call',
    'Carts.java',
    `
    package carts;
    @RestController
    @RequestMapping("/api/carts")
    class Carts {
      static final String BASE = "/internal/stock";
      @GetMapping("/{id}") Cart get(@PathVariable long id) {
        restTemplate.getForObject("http://stock-service/stock/{sku}?x=1", Stock.class, sku);
        webClient.post().uri("/orders/" + id).retrieve();
        restTemplate.exchange(host + BASE, HttpMethod.PUT, entity, Void.class);
        HttpRequest.newBuilder(URI.create(String.format("%s/ratings/%d", host, id)));
      }
      @RequestMapping(value = "/{id}/lines", method = RequestMethod.POST) void add() {}
      @PostMapping void create() {}
    }
    @FeignClient(name = "users", path = "/users")
    interface Users {
      @GetMapping("/{id}") User get();
    }
    interface Petstore {
      @GET("pets/{id}") Call<Pet> pet(@Path("id") String id);
    }
    `,
    `
    6 route GET /api/carts/{}
    7 route-call GET stock-service /stock/{}
    8 route-call POST /orders/{}
    9 route-call PUT /internal/stock
    10 route-call * /ratings/{}
    12 route POST /api/carts/{}/lines
    13 route POST /api/carts
    17 route-call GET /users/{}
    20 route-call GET /pets/{}
    `,
  ],
  [
    'clients of Feign that say where they call',
    'Stock.java',
    `
    @FeignClient(name = "stock", url = "http://stock:8080")
    public interface Stock {
      @GetMapping("/stock/{id}") Item get(@PathVariable String id);
    }
    @FeignClient(name = "orders", url = "\${orders.url:http://orders/api}", path = "/v1")
    interface Orders {
      @PostMapping("/orders") Order add(Order order);
    }
    `,
    `
    3 route-call GET stock:8080 /stock/{}
    7 route-call POST orders /api/v1/orders
    `,
  ],
  [
    'packages of Scala, by imports of classes and of all',
    'Cart.scala',
    `
    import shop.cart.v1.cart.CartServiceGrpc
    import shop.ads.v1.ads.{AdServiceGrpc, Ad}
    val cart = CartServiceGrpc.stub(channel)
    val ads = AdServiceGrpc.blockingStub(channel)
    `,
    `
    1 stub-import CartService from=shop.cart.v1.cart
    2 stub-import AdService from=shop.ads.v1.ads
    2 type-import from=shop.ads.v1.ads type=Ad
    3 client CartService from=shop.cart.v1.cart
    4 client AdService from=shop.ads.v1.ads
    `,
  ],
  [
    'JAX-RS and Ktor',
    'Books.kt',
    `
    @Path("/books")
    class Books {
      @GET
      @Path("{isbn}")
      fun one() {}
      @POST
      fun add() {}
    }
    fun Application.module() {
      routing {
        route("/v1") {
          get("/carts/{id}") { call.respond(1) }
        }
        post("/login") {}
      }
      client.get("http://ratings:80/ratings/$id")
    }
    import io.ktor.server.routing.*
    `,
    `
    3 route GET /books/{}
    6 route POST /books
    12 route GET /v1/carts/{}
    14 route POST /login
    16 route-call GET ratings:80 /ratings/{}
    `,
  ],
  [
    'generated code of Java and Kotlin',
    'GreeterGrpc.java',
    `
    package helloworld;
    @javax.annotation.Generated(
        value = "by gRPC proto compiler (version 1.56.0)",
        comments = "Source: helloworld.proto")
    public final class GreeterGrpc {
      public static final java.lang.String SERVICE_NAME = "helloworld.Greeter";
      public static GreeterStub newStub(io.grpc.Channel channel) { return GreeterStub.newStub(factory, channel); }
    }
    `,
    '6 generated Greeter fullName=helloworld.Greeter file=helloworld.proto',
  ],
  [
    'reactive-grpc',
    'Stock.java',
    `
    package stock;
    import reactor.core.publisher.Mono;
    import com.acme.inventory.v1.ReactorInventoryServiceGrpc;
    import static com.acme.pay.v1.ReactorPaymentServiceGrpc.newReactorStub;
    import io.reactivex.Single;
    class Stock extends ReactorInventoryServiceGrpc.InventoryServiceImplBase {
      ReactorInventoryServiceGrpc.ReactorInventoryServiceStub held;
      // ReactorIgnoredServiceGrpc.newReactorStub(ch)
      Object a = ReactorInventoryServiceGrpc.newReactorStub(ch);
      Object b = RxOrderServiceGrpc.newRxStub(ch);
      Object c = Rx3ShipServiceGrpc.newRxStub(ch);
      Object d = newReactorStub(ch);
      Object e = MutinyMailServiceGrpc.newMutinyStub(ch);
      Object f = "ReactorTextServiceGrpc.newReactorStub(ch)";
    }
    `,
    `
    3 stub-import InventoryService from=com.acme.inventory.v1
    4 stub-import PaymentService from=com.acme.pay.v1
    6 server InventoryService from=com.acme.inventory.v1
    7 stub-import InventoryService from=com.acme.inventory.v1
    9 client InventoryService from=com.acme.inventory.v1
    10 client OrderService from=stock
    11 client ShipService from=stock
    12 client PaymentService from=com.acme.pay.v1
    13 client MailService from=stock
    `,
  ],
  [
    'services that are of reactors themselves',
    'Plant.java',
    `
    import com.acme.plant.ReactorStatusServiceGrpc;
    class Plant { Object a = ReactorStatusServiceGrpc.newBlockingStub(ch); Object b = ReactorServiceGrpc.newStub(ch); }
    `,
    `
    1 stub-import ReactorStatusService from=com.acme.plant
    2 client ReactorStatusService from=com.acme.plant
    2 client ReactorService
    `,
  ],
  [
    'Wire',
    'Stock.kt',
    `
    import com.acme.inventory.v1.InventoryServiceClient
    val inventory = grpcClient.create(InventoryServiceClient::class)
    val greeter = grpcClient.create(com.acme.hello.GreeterClient::class)
    val orders = retrofit.create(OrderServiceClient::class.java)
    val other = retrofit.create(OrderServiceClient::class)
    val third = factory.create(OrderServiceClient::class)
    // grpcClient.create(IgnoredServiceClient::class)
    val text = "grpcClient.create(TextServiceClient::class)"
    `,
    `
    2 client InventoryService from=com.acme.inventory.v1
    3 client Greeter from=com.acme.hello
    `,
  ],
]);
