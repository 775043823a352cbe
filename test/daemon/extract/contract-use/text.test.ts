import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'texts of Ruby that are no code: comments in blocks, heredocs and data',
    'a.rb',
    `
    =begin
    A::One::Stub.new('a')
    =end
    require 'grpc'
    send(<<~FIRST, <<-'SECOND'.strip, B::Two::Stub.new('a'))
      A::Three::Stub.new('a')
    FIRST
      A::Four::Stub.new('a')
      FIRST
      SECOND
    A::Five::Stub.new('a')
    text = <<TEXT
      A::Six::Stub.new('a')
      TEXT
    TEXT
    all << A
    class << self; end
    B::Seven::Stub.new('a')
    =begin
    A::Eight::Stub.new('a')
    =end
    B::Nine::Stub.new('a') # __END__
    __END__
    A::Ten::Stub.new('a')
    `,
    `
    5 client Two from=B
    11 client Five from=A
    18 client Seven from=B
    22 client Nine from=B
    `,
  ],
  [
    'addresses in texts of Ruby',
    'b.rb',
    `
    require 'faraday'
    puts <<~USAGE
      Faraday.get("http://stock/api/usage")
    USAGE
    Faraday.get("http://stock/api/real")
    system("curl 'http://stock/api/called'")
    `,
    `
    5 route-call GET stock /api/real
    6 route-call * stock /api/called
    `,
  ],
  [
    'blocks of text in Java',
    'A.java',
    `
    class A {
      String a = """
        import com.stock.StockServiceGrpc;
        import com.stock.StockServiceGrpc; \\"""
        client.get("http://stock/api/text")
        """;
      CartServiceGrpc.CartServiceBlockingStub b = CartServiceGrpc.newBlockingStub(channel);
    }
    `,
    `
    7 stub-import CartService
    7 client CartService
    `,
  ],
  [
    'blocks of text in Kotlin, that may end with marks of their own',
    'a.kt',
    `
    val a = """
      import com.stock.StockServiceGrpc
      "said""""
    val b = CartServiceGrpc.newBlockingStub(channel)
    `,
    '4 client CartService',
  ],
  [
    'blocks of text in Scala',
    'a.scala',
    `
    val a = """
      import com.stock.StockServiceGrpc
    """
    val b = CartServiceGrpc.stub(channel)
    `,
    '4 client CartService',
  ],
  [
    'documentation in Python, and strings that are none',
    'a.py',
    `
    """Calls.

    import stock_pb2_grpc
    requests.get("http://booking/api/module")
    """
    import requests

    class A:  # noqa
        r"""requests.get('http://booking/api/class') and '/shop.v1.CartService/GetCart'"""
        name = 1
        """requests.get("http://booking/api/field")"""

        def f(
            self,
        ) -> None:
            # What it does:
            """
                import stock_pb2_grpc
                requests.get("http://booking/api/method")
            """
            requests.get("http://booking/api/real")
            requests.get(
                """http://booking/api/long""")
            url = [
                "http://booking/api/listed",
            ]
            os.system("curl 'http://booking/api/called'")
    `,
    `
    21 route-call GET booking /api/real
    22 route-call GET booking /api/long
    25 route-call * booking /api/listed
    27 route-call * booking /api/called
    `,
  ],
  [
    'documentation in Elixir',
    'a.ex',
    `
    defmodule A do
      @moduledoc """
      HTTPoison.get("http://stock/api/module")
      """
      @text '''
      Shop.Cart.Stub.get(c, r)
      '''
      @doc "See '/shop.v1.CartService/GetCart' of GRPC."
      def f, do: HTTPoison.get("http://stock/api/real")
    end
    `,
    '9 route-call GET stock /api/real',
  ],
  [
    'texts of PHP',
    'a.php',
    `
    <?php
    use Grpc\\ChannelCredentials;
    $a = <<<EOT
      new \\Shop\\OneServiceClient('a', []);
      EOTA
      EOT . f(new \\Shop\\TwoServiceClient('a', []));
    $b = <<<'NOW'
    it's new \\Shop\\ThreeServiceClient('a', []);
    NOW;
    $c = 1 << FOUR;
    new \\Shop\\FourServiceClient('a', []);
    `,
    `
    6 client TwoService from=Shop
    11 client FourService from=Shop
    `,
  ],
  [
    'strings of C#: raw, and word for word',
    'a.cs',
    `
    using Grpc.Core;
    var a = """
      new X.AService.AServiceClient(c); "a"
      """;
    var b = @"c:\\"; var c = new X.BService.BServiceClient(c);
    var d = @"a ""
      new X.CService.CServiceClient(c); ""q"" ";
    var e = $@"
      new X.DService.DServiceClient(c); ""q"" {f}";
    var g = """"
      """ new X.EService.EServiceClient(c);
      """"; var h = new X.FService.FServiceClient(c);
    `,
    `
    5 client BService from=X
    12 client FService from=X
    `,
  ],
  [
    'raw strings of C++ with words of their own',
    'a.cc',
    `
    #include <grpcpp/grpcpp.h>
    const char* a = R"X(
      One::NewStub(c); )"
      Two::NewStub(c);)X"; auto b = Three::NewStub(c);
    const char* d = R"(Four::NewStub(c))"; auto e = Five::NewStub(c);
    `,
    `
    4 client Three
    5 client Five
    `,
  ],
  [
    'raw strings of Rust',
    'a.rs',
    `
    const A: &str = r###"
      use stock::v1::one_service_client;
    "# "###;
    use stock::v1::two_service_client;
    const B: &str = "
      use stock::v1::three_service_client;
    ";
    `,
    '4 stub-import TwoService from=stock::v1',
  ],
  [
    'texts of JavaScript',
    'a.ts',
    `
    import { credentials } from '@grpc/grpc-js';
    const usage = \`
      import { CartServiceClient } from './cart_grpc_pb';
      fetch("http://stock/api/usage")
      \${f('\`')} \\\`
    \`;
    fetch(\`http://stock/api/real\`);
    `,
    '7 route-call GET stock /api/real',
  ],
  [
    'what the preprocessor of C leaves out, and what it may leave in',
    'a.cc',
    `
    #include <grpcpp/grpcpp.h>
    #if 0
    It doesn't matter what is written here, "or /* not closed.
    auto a = One::NewStub(c);
    #  ifdef X
    auto b = Two::NewStub(c);
    #  else
    auto d = Three::NewStub(c);
    #  endif
    #elif defined(Y)
    auto e = Four::NewStub(c);
    #else
    auto f = Five::NewStub(c);
    #endif
      # if (0) && defined(Z) // never
    auto g = Six::NewStub(c);
    #endif
    #if 1 /* always */
    auto h = Seven::NewStub(c);
    #elif defined(Y)
    auto i = Eight::NewStub(c);
    #else
    auto j = Nine::NewStub(c);
    #endif
    #ifdef X
    auto k = Ten::NewStub(c);
    #elif 0
    auto l = Eleven::NewStub(c);
    #elif true
    auto m = Twelve::NewStub(c);
    #else
    auto n = Thirteen::NewStub(c);
    #endif
    #if 0 || defined(X)
    auto o = Fourteen::NewStub(c);
    #endif
    #if !1
    auto p = Fifteen::NewStub(c);
    #if 0
    #endif
    #endif
    auto q = R"(
    #if 0
    )"; auto r = Sixteen::NewStub(c); /*
    #if 0
    */ auto s = Seventeen::NewStub(c);
    #if0
    auto t = Eighteen::NewStub(c);
    `,
    `
    11 client Four
    13 client Five
    19 client Seven
    26 client Ten
    30 client Twelve
    35 client Fourteen
    44 client Sixteen
    46 client Seventeen
    48 client Eighteen
    `,
  ],
  [
    'and of C#',
    'a.cs',
    `
    #if false
    using Acme.Crm.V1;
    var a = new X.AService.AServiceClient(c);
    #else
    var b = new X.BService.BServiceClient(c);
    #endif
    #if DEBUG
    var d = new X.CService.CServiceClient(c);
    #elif true
    var e = new X.DService.DServiceClient(c);
    #else
    var f = new X.EService.EServiceClient(c);
    #endif
    #if false
    var g = new X.FService.FServiceClient(c);
    #endif
    #if DEBUG && (NET8_0 && false)
    var h = new X.GService.GServiceClient(c);
    #elif (DEBUG && false) || NET8_0
    var i = new X.HService.HServiceClient(c);
    #endif
    #if !(DEBUG && true)
    var j = new X.IService.IServiceClient(c);
    #endif
    #if true || DEBUG
    #else
    var k = new X.JService.JServiceClient(c);
    `,
    `
    5 client BService from=X
    8 client CService from=X
    10 client DService from=X
    20 client HService from=X
    23 client IService from=X
    `,
  ],
  [
    'and of Swift',
    'a.swift',
    `
    import GRPC
    #if false
    let a = Shop_V1_OneServiceNIOClient(channel: c)
    #elseif os(Linux)
    let b = Shop_V1_TwoServiceNIOClient(channel: c)
    #endif
    let d = #"#if false"#
    let e = Shop_V1_ThreeServiceNIOClient(channel: c)
    `,
    `
    5 client TwoService from=Shop_V1
    8 client ThreeService from=Shop_V1
    `,
  ],
  [
    'and of Objective-C; a file without anything else shows nothing',
    'a.m',
    `
    #if 0
    #import <HelloWorld/Helloworld.pbrpc.h>
    HLWGreeter *service = [[HLWGreeter alloc] initWithHost:host];
    #endif
    `,
    '',
  ],
  [
    'comments of languages that have no preprocessor',
    'a.rb',
    "require 'grpc'\n#if 0\nB::Two::Stub.new('a')\n#endif\n",
    '3 client Two from=B',
  ],
]);
