import { testUses } from '../../../support/contract-uses.ts';

testUses([
  [
    'clients of PHP that containers make: the place is read from somewhere',
    'container.php',
    `
    <?php
    use Acme\\Crm\\V1\\NotificationServiceClient;
    return [
      'a' => static fn () => new NotificationServiceClient(getenv('CRM_URL'), []),
      'b' => function () { return new \\Acme\\Crm\\V1\\NotificationServiceClient((string) env('CRM'), ['credentials' => null]); },
      'c' => fn () => new NotificationServiceClient(config('services.crm.host'), []),
      'd' => fn () => new NotificationServiceClient(self::HOST, []),
      'e' => fn () => new NotificationServiceClient(\\App\\Settings::get('crm') ?? 'crm:50051', array()),
      'f' => fn () => new NotificationServiceClient(hostname: CRM_HOST, opts: []),
      'g' => fn () => new \\Acme\\Ads\\AdServiceClient($_ENV['ADS'], []),
      'h' => fn () => new \\Acme\\Ads\\AdServiceClient(getenv('ADS_HOST'), []),
    ];
    `,
    `
    4 client NotificationService from=Acme.Crm.V1
    5 client NotificationService from=Acme.Crm.V1
    6 client NotificationService from=Acme.Crm.V1
    7 client NotificationService from=Acme.Crm.V1
    8 client NotificationService from=Acme.Crm.V1
    9 client NotificationService from=Acme.Crm.V1
    10 client AdService from=Acme.Ads
    11 client AdService from=Acme.Ads
    `,
  ],
  [
    'clients of HTTP that containers make',
    'http.php',
    `
    <?php
    use Acme\\Billing\\BillingClient;
    use Acme\\V1\\CrmClient;
    $a = new BillingClient(getenv('BILLING_URL'), []);
    $b = new BillingClient(config('billing.api_key'), []);
    $c = new BillingClient(new Transport(), []);
    $d = new CrmClient(getenv('CRM') ?: 'https://crm.acme.com', []);
    $e = new CrmClient(getenv('CRM'), ['timeout' => 3]);
    $f = new CrmClient(getenv('CRM'), ['base_uri' => 'x']);
    $g = new CrmClient(null, []);
    $h = new CrmClient(fn () => 1, []);
    $i = new LocalClient(getenv('CRM'), []);
    `,
    '',
  ],
  [
    'a server of PHP in a file that has none of its methods',
    'src/Notifications.php',
    `
    <?php
    namespace App;
    use Acme\\Crm\\V1\\NotificationServiceInterface;
    use Acme\\Crm\\V1\\SendCrmRequest;
    use Acme\\Mail\\V1\\MailServiceInterface;
    final class Notifications implements NotificationServiceInterface { use Methods; }
    final class NotificationClient implements NotificationServiceInterface {}
    final class Mail implements MailServiceInterface {}
    `,
    `
    4 type-import from=Acme.Crm.V1 type=SendCrmRequest
    6 server NotificationService from=Acme.Crm.V1
    `,
  ],
  [
    'interfaces of the own application',
    'src/Domain.php',
    `
    <?php
    namespace App\\Domain;
    use App\\Api\\V1\\CartServiceInterface;
    use App\\Api\\V1\\CartRequest;
    use Vendor\\Stock\\StockServiceInterface;
    use Vendor\\Stock\\StockRequest;
    class Cart implements CartServiceInterface, StockServiceInterface {}
    `,
    '4 type-import from=App.Api.V1 type=CartRequest',
  ],
  [
    'calls on clients of Guzzle, whatever they are called',
    'call.php',
    `
    <?php
    use GuzzleHttp\\Client;
    use GuzzleHttp\\ClientInterface as Http;
    final class A {
      public function __construct(private Client $h, private ?Http $x, private Cache $cache) {}
      public function a($id) { return $this->h->get("/crm/v7/customers/{$id}/postal-addresses"); }
      public function b($id) { return $this->x->postAsync('/crm/v7/customers/' . $id); }
      public function c($id) { $g = new \\GuzzleHttp\\Client(['base_uri' => 'x']); return $g->delete("/crm/v7/$id"); }
      public function d($id) { return $this->cache->get("/crm/v7/customers/{$id}"); }
      public function e($h, $o) { return $o->get('/none') . $this->h->get($id); }
    }
    `,
    `
    6 route-call GET /crm/v7/customers/{}/postal-addresses
    7 route-call POST /crm/v7/customers/{}
    8 route-call DELETE /crm/v7/{}
    `,
  ],
  [
    'clients of PHP that are called so and are none of HTTP',
    'other.php',
    `
    <?php
    use Redis\\Client;
    use GuzzleHttp\\Psr7\\Response;
    class A { public function __construct(private Client $h) {} function a() { return $this->h->get('/carts/1'); } }
    `,
    '',
  ],
]);
