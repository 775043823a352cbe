import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'services that Akka and Pekko serve',
    'Server.scala',
    `
    package app
    import akka.http.scaladsl.Http
    import acme.inventory.v1.{InventoryService, InventoryServiceHandler}
    import acme.hello.GreeterHandler
    import akka.stream.SupervisionHandler
    object Server {
      Http().newServerAt("0.0.0.0", 80).bind(InventoryServiceHandler(new InvImpl))
      val a = OrderServiceHandler.partial(new OrderServiceImpl(system))
      val b = StockServiceHandler
        .withServerReflection(impl)
      val c = GreeterHandler(impl)
      val d = SupervisionHandler(impl)
      val e = new OwnServiceHandler(impl)
      class ThirdServiceHandler(impl: Impl)
      // IgnoredServiceHandler(impl)
      val f = "TextServiceHandler(impl)"
      val g = OwnServiceHandler.register(impl)
      val h = PaymentServicePowerApiHandler(impl)
    }
    `,
    `
    3 type-import from=acme.inventory.v1 type=InventoryService
    7 server InventoryService from=acme.inventory.v1
    8 server OrderService from=app
    9 server StockService from=app
    11 server Greeter from=acme.hello
    18 server PaymentService from=app
    `,
  ],
  [
    'and handlers of others, where nothing is of Akka',
    'Errors.scala',
    `
    import acme.util.ErrorHandler
    object Errors {
      val a = ErrorHandler(log)
      val b = CleanupServiceHandler(log)
      val c = InventoryServiceHandler(new InventoryImpl)
    }
    `,
    '5 server InventoryService',
  ],
  [
    'ZIO',
    'Stock.scala',
    `
    package app
    import acme.inventory.v1.ZioInventory
    import acme.hello.ZioHello.{GreeterClient, ZGreeter}
    import acme.orders.ZioOrders._
    object Stock extends ZioInventory.InventoryService {
      val a = ZioInventory.InventoryServiceClient.live(channel)
      val b = ZioInventory.StockServiceClient.scoped(channel)
      val c = acme.pay.v1.ZioPay.PaymentServiceClient.managed(channel)
      val d = GreeterClient.live(channel)
      val e = OrderServiceClient.scoped(channel)
      val f = OwnClient.live(channel)
      // ZioInventory.IgnoredClient.live(channel)
      val g = "ZioInventory.TextClient.live(channel)"
    }
    class Greet extends ZGreeter[Any] with ZioInventory.ZStockService[Any, Any] with Logging {}
    class Orders extends OrderService {}
    class Base extends ZIOAppDefault {}
    `,
    `
    2 type-import from=acme.inventory.v1 type=ZioInventory
    5 server InventoryService from=acme.inventory.v1
    6 client InventoryService from=acme.inventory.v1
    7 client StockService from=acme.inventory.v1
    8 client PaymentService from=acme.pay.v1
    9 client Greeter from=acme.hello
    10 client OrderService from=acme.orders
    15 server Greeter from=acme.hello
    15 server StockService from=acme.inventory.v1
    16 server OrderService from=acme.orders
    `,
  ],
]);
