import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'messages that Java imports: of packages with a version, or where something is treated as a message',
    'A.java',
    `
    package acme.app;
    import java.util.v1.List;
    import com.acme.events.v1.OrderPlaced;
    import com.acme.events.v1.EventsProto.OrderShipped;
    import com.acme.mail.v1beta1.*;
    import com.acme.util.Strings;
    import com.acme.pay.v1.PayServiceGrpc;
    // import com.acme.events.v1.Gone;
    class A { String s = "import com.acme.events.v1.Text;"; }
    `,
    `
    3 type-import from=com.acme.events.v1 type=OrderPlaced
    4 type-import from=com.acme.events.v1 type=EventsProto.OrderShipped
    5 type-import from=com.acme.mail.v1beta1 names=String
    7 stub-import PayService from=com.acme.pay.v1
    `,
  ],
  [
    'and of packages without one',
    'B.java',
    `
    import acme.events.OrderPlaced;
    import acme.util.Strings;
    class B { OrderPlaced read(byte[] bytes) { return OrderPlaced.parseFrom(bytes); } }
    `,
    `
    1 type-import from=acme.events type=OrderPlaced
    2 type-import from=acme.util type=Strings
    `,
  ],
  [
    'messages of Kotlin, with its builders',
    'a.kt',
    `
    import com.acme.events.v1.OrderPlaced as Placed
    import com.acme.events.v1.orderShipped
    `,
    `
    1 type-import from=com.acme.events.v1 type=OrderPlaced
    2 type-import from=com.acme.events.v1 type=orderShipped
    `,
  ],
  [
    'messages of Scala',
    'A.scala',
    `
    import com.acme.events.v1.events.{OrderPlaced, OrderShipped => Shipped}
    import com.acme.mail.v1.mail._
    `,
    `
    1 type-import from=com.acme.events.v1.events type=OrderPlaced
    1 type-import from=com.acme.events.v1.events type=OrderShipped
    2 type-import from=com.acme.mail.v1.mail names=OrderPlaced|OrderShipped|Shipped
    `,
  ],
  [
    'messages of C#',
    'A.cs',
    `
    using System.V1;
    using Acme.Events.V1;
    using Placed = Acme.Orders.V1.OrderPlaced;
    namespace Acme.App.V1;
    // using Acme.Gone.V1;
    class A {
      void F(byte[] b) { var e = OrderShipped.Parser.ParseFrom(b); var m = new Acme.Mail.V1.Mail(); }
    }
    `,
    `
    2 type-import from=Acme.Events.V1 names=Acme|OrderShipped|Placed|System
    3 type-import from=Acme.Orders.V1 type=OrderPlaced
    7 type-import from=Acme.Events.V1 type=OrderShipped
    7 type-import from=Acme.App.V1 type=OrderShipped
    7 type-import from=Acme.Mail.V1 type=Mail
    `,
  ],
  [
    'messages of PHP',
    'a.php',
    `
    <?php
    use Acme\\Events\\V1\\OrderPlaced;
    use Acme\\Events\\V1\\{OrderShipped, OrderPaid as Paid};
    use Acme\\Util\\Strings;
    use GuzzleHttp\\V1\\Client;
    $m = new \\Acme\\Mail\\V1\\Mail\\Header();
    // use Acme\\Events\\V1\\Gone;
    `,
    `
    2 type-import from=Acme.Events.V1 type=OrderPlaced
    3 type-import from=Acme.Events.V1 type=OrderShipped
    3 type-import from=Acme.Events.V1 type=OrderPaid
    6 type-import from=Acme.Mail.V1 type=Mail.Header
    `,
  ],
  [
    'messages of Elixir',
    'a.ex',
    `
    defmodule Acme.App.V1.Handler do
      alias Acme.Events.V1.{OrderPlaced, OrderShipped}
      alias Acme.Mail.V1
      alias Acme.Util.V1
      alias Acme.Pay.V2, as: Pay
      alias Acme.Old.Order
      def f(b), do: %Acme.Orders.V1.Order.Item{} = Acme.Orders.V1.Order.decode(b)
      def g, do: %Pay.Paid{}
      def h(b), do: Order.decode(b)
      def i(b), do: Jason.decode!(b)
      # Acme.Gone.V1.Order
    end
    `,
    `
    2 type-import from=Acme.Events.V1 type=OrderPlaced
    2 type-import from=Acme.Events.V1 type=OrderShipped
    3 type-import from=Acme.Mail.V1 names=Acme|Jason|Order|OrderPlaced|OrderShipped|Pay
    4 type-import from=Acme.Util.V1 names=Acme|Jason|Order|OrderPlaced|OrderShipped|Pay
    7 type-import from=Acme.Orders.V1 type=Order.Item
    7 type-import from=Acme.Orders.V1 type=Order
    8 type-import from=Acme.Pay.V2 type=Paid
    9 type-import from=Acme.Old type=Order
    `,
  ],
  [
    'messages of Swift',
    'a.swift',
    `
    import Foundation
    let placed = try Acme_Events_V1_OrderPlaced(serializedBytes: data)
    let local = Local_Thing()
    // Acme_Gone_V1_Order
    `,
    '2 type-import from=Acme.Events.V1 type=OrderPlaced',
  ],
  [
    'messages of Rust',
    'src/main.rs',
    `
    use acme_schemas::acme::events::v1::OrderPlaced;
    use acme_schemas::acme::{events::v1::{OrderShipped, OrderPaid as Paid}, pay::v2::*};
    use crate::acme::cart::v1::cart_service_client::CartServiceClient;
    use axum::extract::v1::Json;
    use acme::util::Strings;
    fn f(b: &[u8]) { let o = acme::orders::v1::Order::decode(b); }
    // use acme::gone::v1::Order;
    `,
    `
    1 type-import from=acme_schemas.acme.events.v1 type=OrderPlaced
    2 type-import from=acme_schemas.acme.events.v1 type=OrderShipped
    2 type-import from=acme_schemas.acme.events.v1 type=OrderPaid
    2 type-import from=acme_schemas.acme.pay.v2 names=CartServiceClient|Json|Order|OrderPaid|OrderPlaced|OrderShipped|Paid|Strings
    3 stub-import CartService from=acme::cart::v1
    6 type-import from=acme.orders.v1 type=Order
    `,
  ],
]);
