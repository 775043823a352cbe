import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('names: what use binds, by kind, in groups and under aliases; namespaces; what falls back on the outermost', async () => {
  await expectLinks(`
    -- src/Model.php --
    <?php
    namespace App\\Model;
    class Box { const SIZE = 1; public static int $count = 0; public static function make(): static { return new static(); } }
    interface Shape {}
    function area(Shape $shape): int { return 1; }
    const LIMIT = 3;
    -- src/helpers.php --
    <?php
    function globally(): App\\Model\\Box { return new App\\Model\\Box(); }
    define('OUTER', 2);
    -- src/Use.php --
    <?php
    namespace App\\Web;
    use App\\Model\\Box as Crate;
        ^ ?
            ^ App/Model/
                  ^ App/Model/Box#
    use App\\Model\\{Shape, function area, const LIMIT};
                   ^ App/Model/Shape#
                                   ^ App/Model/area().
                                               ^ App/Model/LIMIT.
    use App\\Model;
    use Vendor\\Package\\Thing;
    class Page implements Shape
                          ^ App/Model/Shape#
    {
        public function show(): void
        {
            Crate::make()->run(Crate::SIZE, Crate::$count, LIMIT, OUTER);
            ^ App/Model/Box#
                   ^ App/Model/Box#make().
                               ^ App/Model/Box#
                                      ^ App/Model/Box#SIZE.
                                                    ^ App/Model/Box#$count.
                                                           ^ App/Model/LIMIT.
                                                                  ^ OUTER.
            area(new Model\\Box());
            ^ App/Model/area().
                     ^ App/Model/
                           ^ App/Model/Box#
            globally(); \\strlen('x'); new Thing(); new \\App\\Model\\Box();
            ^ globally().
                         ^ std php:strlen
                                          ^ composer vendor/package:Thing
                                                                  ^ App/Model/Box#
        }
    }
  `);
});

test('receivers: properties, parameters, what is returned, comments, loops, conditions', async () => {
  await expectLinks(`
    -- lib.php --
    <?php
    class Node {
        public ?Node $next = null;
        /** @var Leaf[] */
        public array $leaves = [];
        private $held;
        public function __construct(private Leaf $first, Leaf $held) { $this->held = $held; }
        public function next(): ?Node { return $this->next; }
        /** @return Leaf|null */
        public function leaf() { return $this->first; }
        public function self(): static { return $this; }
        public function plain() { return new Leaf(); }
        public function held() { $this->held->grow(); $this->first->grow(); }
                                              ^ Leaf#grow().
                                                                    ^ Leaf#grow().
    }
    class Leaf { public function grow(): void {} const DEEP = 1; }
    class Twig extends Node { public function bend() {} public function up() { parent::next(); self::low(); } static function low() {} }
                                                                                       ^ Node#next().
                                                                                                     ^ Twig#low().
    -- use.php --
    <?php
    function run(Node $node, $any, iterable $many)
    {
        $node->next()->next->leaf()->grow();
               ^ Node#next().
                       ^ Node#$next.
                             ^ Node#leaf().
                                     ^ Leaf#grow().
        foreach ($node->leaves as $leaf) { $leaf->grow(); }
                                                  ^ Leaf#grow().
        $node->leaves[0]->grow();
                          ^ Leaf#grow().
        $twig = new Twig(new Leaf, new Leaf);
        $twig->self()->bend();
                       ^ Twig#bend().
        $twig->plain()->grow();
                        ^ Leaf#grow().
        if ($any instanceof Leaf) { $any->grow(); }
                                          ^ Leaf#grow().
        $any->grow();
              ^ ?
        if (!$any instanceof Twig) { return; }
        $any->bend();
              ^ Twig#bend().
        /** @var Leaf $made */
        $made = make();
        $made->grow();
               ^ Leaf#grow().
        $again = fn (Leaf $inner) => $inner->grow();
                                             ^ Leaf#grow().
        $mock = $test->createMock(Leaf::class); $mock->grow();
                                                       ^ Leaf#grow().
        $made->missing();
               ^ elsewhere
    }
  `);
});

test('traits before parents, enums, interfaces, constants of what a class is built from', async () => {
  await expectLinks(`
    -- a.php --
    <?php
    trait Loud { public function speak() { $this->volume(); } public function volume() {} }
                                                  ^ Loud#volume().
    class Base { const KIND = 'b'; public function speak() {} protected function rest() {} }
    interface Named { const NAME = 1; public function name(): string; }
    enum Suit: string implements Named { case Hearts = 'h'; const TOP = self::Hearts;
                                                                              ^ Suit#Hearts.
        public function name(): string { return Suit::Hearts->name() . $this->value; } }
                                                      ^ Suit#Hearts.
                                                              ^ Suit#name().
    class Dog extends Base implements Named {
        use Loud { speak as bark; }
            ^ Loud#
                   ^ Loud#speak().
        public function name(): string { $this->speak(); $this->rest(); return static::KIND . self::NAME . Suit::TOP->name(); }
                                                ^ Loud#speak().
                                                                ^ Base#rest().
                                                                                       ^ Base#KIND.
                                                                                                    ^ Named#NAME.
                                                                                                                      ^ Suit#name().
    }
  `);
});

test('classes, functions, methods and namespaces are found in any case, constants in their own', async () => {
  await expectLinks(`
    -- lib.php --
    <?php
    namespace App\\Model;
    class Box { const SIZE = 1; public static function Stat(): self { return new self(); } }
    function Area() {}
    const LIMIT = 3;
    class Twin { function run() {} }
    -- other.php --
    <?php
    namespace App\\Model;
    class TWIN { function run() {} }
    class Odd extends box {}
                      ^ App/Model/Box#
    -- use.php --
    <?php
    namespace app\\web;
    use APP\\model\\BOX;
                  ^ App/Model/Box#
    function run(box $one) {
                 ^ App/Model/Box#
      BOX::stat()->STAT();
      ^ App/Model/Box#
           ^ App/Model/Box#Stat().
                   ^ App/Model/Box#Stat().
      box::SIZE + box::size;
           ^ App/Model/Box#SIZE.
                       ^ elsewhere
      \\app\\MODEL\\AREA();
                 ^ App/Model/Area().
      \\app\\model\\LIMIT + \\App\\Model\\limit;
                 ^ App/Model/LIMIT.
      (new \\App\\Model\\TWIN())->run();
                      ^ App/Model/TWIN#
                               ^ App/Model/TWIN#run().
      (new \\App\\Model\\Twin())->run();
                               ^ App/Model/Twin#run().
      new \\App\\Model\\twin();
                     ^ ?
    }
  `);
});

test('static is of the class that is called, by way of self and parent, too', async () => {
  await expectLinks(`
    -- a.php --
    <?php
    trait Cloning { public function again() { return new static(); } }
    class Model {
        use Cloning;
        public static function create() { return new static(); }
        public static function late() { return static::create(); }
        public static function own() { return self::create(); }
        public static function fixed() { return new self(); }
        public function save() {}
    }
    class User extends Model {
        public function save() {}
        public static function above() { return parent::create(); }
                                                        ^ Model#create().
    }
    User::create()->save();
                    ^ User#save().
    User::late()->save();
                  ^ User#save().
    User::own()->save();
                 ^ User#save().
    User::above()->save();
                   ^ User#save().
    User::fixed()->save();
                   ^ Model#save().
    Model::create()->save();
                     ^ Model#save().
    $user = new User();
    $user->again()->save();
                    ^ User#save().
  `);
});

test('a class without name has members of its own, and what it is built from', async () => {
  await expectLinks(`
    -- a.php --
    <?php
    class Base { public function above() {} }
    class Maker {
        private $size;
        public function run() {}
        public function make() {
            return new class($this->run()) extends Base {
                   ^ -
                       ^ Maker#make().\`new Base\`#
                                    ^ Maker#run().
                                                   ^ Base#
                public $size;
                public function __construct($given) { $this->run($this->size); }
                                                             ^ Maker#make().\`new Base\`#run().
                                                                        ^ Maker#make().\`new Base\`#$size.
                public function run() { self::run(); $this->above(); }
                                              ^ Maker#make().\`new Base\`#run().
                                                            ^ Base#above().
            };
        }
    }
    function use_it(Maker $maker) {
        $maker->make()->run();
                        ^ Maker#make().\`new Base\`#run().
        $maker->make()->above();
                        ^ Base#above().
    }
  `);
});

test('what may be any object, or name any class, tells nothing; a comment on a loop does', async () => {
  await expectLinks(`
    -- a.php --
    <?php
    class Factory { public static function make() {} public static $count; const LIMIT = 1; public function work() {} }
    class Other { public static function make() {} public static $count; const LIMIT = 1; public function work() {} }
    function run(string $class, object $any, callable $called, iterable $many, int $number) {
        $class::make();
                ^ ?
        echo $class::LIMIT, $class::$count;
                     ^ ?
                                     ^ ?
        $any->work();
              ^ ?
        $called->work();
                 ^ ?
        $many->work();
               ^ ?
        $named = 'Factory';
        $named::make();
                ^ ?
        $number->work();
                 ^ std php:int.work
        /** @var Factory $one */
        foreach (unheard_of() as $one) { $one::make(); $one->work(); }
                                               ^ Factory#make().
                                                             ^ Factory#work().
        /** @var Factory[] $all */
        foreach ($all as $each) { $each->work(); }
                                         ^ Factory#work().
    }
    /** @param Factory $said */
    function also(object $said) { $said->work(); }
                                         ^ Factory#work().
  `);
});

test('a trait’s own code finds what all classes have that use it; where they have several, none is meant', async () => {
  await expectLinks(`
    -- src/Traits.php --
    <?php
    namespace A\\B;
    trait T {
      public function run() { $this->go(); $this->size; static::make(); self::LIMIT; $this->up(); $this->nothing(); }
                                     ^ A/C#go().
                                                  ^ A/C#$size.
                                                                ^ A/C#make().
                                                                              ^ A/C#LIMIT.
                                                                                            ^ A/B/Base#up().
                                                                                                         ^ ?
    }
    trait Two { public function run() { $this->clash(); $this->up(); $this->some(); } }
                                               ^ ?
                                                               ^ A/B/Base#up().
                                                                            ^ A/D#some().
    trait Inner { public function run() { $this->deep(); } }
                                                 ^ A/B/Whole#deep().
    trait Outer { use Inner; }
    class Whole { use Outer; public function deep() {} }
    class Base { public function up() {} }
    -- src/C.php --
    <?php
    namespace A;
    use A\\B\\T as Renamed;
    use A\\B\\Base;
    class C extends Base {
      use Renamed;
      const LIMIT = 1;
      public int $size;
      public function go() { $this->clash(); }
                                    ^ elsewhere
      public static function make() {}
    }
    class D extends Base { use B\\Two; public function clash() {} public function some() {} }
    class E extends Base { use B\\Two; public function clash() {} }
    -- tests/F.php --
    <?php
    namespace A;
    class F { use B\\T; public function go() {} }
  `);
});

test('what tests alone define is theirs: functions of the language, classes of extensions; but for what is imported by its whole name', async () => {
  await expectLinks(`
    -- src/Kernel.php --
    <?php
    namespace App;
    use App\\Testing\\Spy;
    class Kernel { function run() { error_log('x'); new \\Redis(); new Spy(); } }
                                    ^ std php:error_log
                                                         ^ std php:Redis
                                                                      ^ App/Testing/Spy#
    -- tests/KernelTest.php --
    <?php
    namespace App;
    function error_log($message) {}
    class KernelTest { function test() { error_log('x'); new \\Redis(); } }
                                         ^ App/error_log().
                                                              ^ Redis#
    -- tests/stubs.php --
    <?php
    class Redis {}
    -- tests/Spy.php --
    <?php
    namespace App\\Testing;
    class Spy {}
  `);
});

test('what is called back is named in a text, where a function or a key says so', async () => {
  await expectLinks(`
    -- run.php --
    <?php
    namespace App;
    usort($all, 'by_name'); add_action('init', 'App\\started'); array_udiff($a, $b, 'by_name'); array_map('Tool::of', $all);
                 ^ by_name().
                                                ^ App/started().
                                                                                    ^ by_name().
                                                                                                          ^ Tool#
    $x = ['callback' => 'by_name', 'name' => 'by_name'];
                         ^ by_name().
                                              ^ -
    usort($all, "by_$name"); other('by_name'); call_user_func([Tool::class, 'of'], ['callback']);
                    ^ -
                                    ^ -
                                                                             ^ -
    -- all.php --
    <?php
    function by_name($a, $b) {}
    class Tool { static function of() {} }
    -- started.php --
    <?php
    namespace App;
    function started() {}
  `);
});
