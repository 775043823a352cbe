import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('a constant is looked for in the modules around, then in what the class is built from, then at the top', async () => {
  await expectLinks(`
    -- lib/shop.rb --
    LIMIT = 1
    module Shop
      LIMIT = 2
      class Base
        INNER, OUTER = 3, 4
      end
      class Cart < Base
                   ^ Shop#Base#
        def total
          [LIMIT, INNER, ::LIMIT, Base::OUTER, Stripe::Charge, String]
           ^ Shop#LIMIT.
                  ^ Shop#Base#INNER.
                           ^ LIMIT.
                                        ^ Shop#Base#OUTER.
                                                       ^ gem stripe:Stripe.Charge
                                                               ^ std ruby:String
        end
      end
    end
    class Shop::Late
      LIMIT
      ^ LIMIT.
    end
  `);
});

test('methods of self come from the class, wherever it is opened, from its mixins and its bases', async () => {
  await expectLinks(`
    -- a.rb --
    module Named
      def name = @name
      def title; name; size; end
                 ^ Named#name().
                       ^ Cart#size().
    end
    module Finders
      def find(id); end
    end
    class Model
      extend Finders
      def self.make; new; end
                     ^ Model#initialize().
      def initialize; save; end
                      ^ Model#save().
      def save; end
    end
    class Cart < Model
      include Named
      class << self
        def all; make; end
                 ^ Model#make(static).
      end
      def size; end
      def run
        name
        ^ Named#name().
        later
        ^ Cart#later().
        puts 1
        ^ std ruby:Kernel.puts
        unheard_of
        ^ ?
        self.class.all
                   ^ Cart#all(static).
      end
      def save; super; end
                ^ Model#save().
    end
    Cart.find(1)
         ^ Finders#find().
    -- b.rb --
    class Cart
      def later; run; end
                 ^ Cart#run().
    end
  `);
});

test('a module has itself what it makes its functions', async () => {
  await expectLinks(`
    -- a.rb --
    module Bare
      module_function
      def helper; other; end
                  ^ Bare#other().
      def other; end
    end
    module Named
      def helper; end
      module_function :helper
                       ^ Named#helper().
    end
    module Itself
      extend self
      def helper; end
    end
    module Neither
      def run; module_function; end
      def helper; end
    end
    class Decoy
      def helper; end
      def other; end
    end
    -- b.rb --
    Bare.helper
         ^ Bare#helper().
    Bare.other
         ^ Bare#other().
    Named.helper
          ^ Named#helper().
    Itself.helper
           ^ Itself#helper().
    Neither.helper
            ^ ?
  `);
});

test('a receiver has the class that the syntax tells', async () => {
  await expectLinks(`
    -- a.rb --
    class Engine
      attr_accessor :power
      def start; self; end
    end
    class Car
      ENGINE = Engine.new
      attr_reader :engine
      def initialize; @engine = Engine.new; end
      def self.build
        car = new
        car.engine.start.power = 1
            ^ Car#engine().
                   ^ Engine#start().
                         ^ Engine#power().
        ENGINE.start
               ^ Engine#start().
        car
      end
      def go
        @engine.start
        ^ Car#\`@engine\`.
                ^ Engine#start().
        [Engine.new].each { |one| one.start }
                                      ^ Engine#start().
      end
    end
    Car.build.go
              ^ Car#go().
    def drive(what)
      what.start
           ^ ?
      what.nil?
           ^ std ruby:Object.nil?
    end
  `);
});

test('a module finds what all mean that include it, and no test’s stand-in', async () => {
  await expectLinks(`
    -- lib/helpers.rb --
    module Helpers
      def status; response.code; @env; clash; end
                  ^ App#response().
                                 ^ App#\`@env\`.
                                       ^ ?
      def only_tested; mocked; end
                       ^ ?
    end
    class App
      include Helpers
      def response; @env = 1; end
      def clash; end
    end
    class Other
      include Helpers
      def clash; end
    end
    -- test/fake.rb --
    class Fake
      include Helpers
      def mocked; end
    end
  `);
});

test('a block gets what the method yields', async () => {
  await expectLinks(`
    -- a.rb --
    class Settings
      def port; end
    end
    class Server
      def self.configure; yield settings; end
      def self.settings; Settings.new; end
      def each; yield Settings.new; end
    end
    Server.configure { |it| it.port }
                               ^ Settings#port().
    Server.new.each do |one|
      one.port
          ^ Settings#port().
    end
  `);
});

test('what calls make is there: structs, accessors, aliases, constants given one by one', async () => {
  await expectLinks(`
    -- a.rb --
    Point = Struct.new(:x, :y) do
      def norm; x + y; end
                ^ Point#x().
    end
    Point.new(1, 2).norm
                    ^ Point#norm().
    class Text
      def old; end
      alias_method :fresh, :old
                            ^ Text#old().
      private :old
               ^ Text#old().
      CACHE ||= {}
      def run; fresh; CACHE; end
               ^ Text#fresh().
                      ^ Text#CACHE.
    end
    ONE = TWO = 3
    TWO
    ^ TWO.
  `);
});

test('a test’s helpers live in a dependency’s class that is opened here', async () => {
  await expectLinks(`
    -- test/helper.rb --
    class Minitest::Test
      def mock_app; end
    end
    -- test/a_test.rb --
    class ATest < Minitest::Test
      def test_it
        mock_app
        ^ Minitest#Test#mock_app().
        assert_equal 1, 2
        ^ gem minitest:Minitest.Test.assert_equal
      end
      it 'works' do
        mock_app
        ^ Minitest#Test#mock_app().
      end
    end
  `);
});

test('what a class makes of itself is of the class that is called', async () => {
  await expectLinks(`
    -- a.rb --
    class Animal
      def self.make; new; end
      def self.made = self.new
      def self.late = make
      def self.each_made; yield new; end
      def self.kept
        one = new
        one.speak
            ^ Animal#speak().
        one
      end
      def again; self.class.new; end
      def other; own = self.class; own.make; end
      def speak; end
    end
    class Fish < Animal
      def speak; end
      def self.own = make
      def self.above; make.speak; end
                           ^ Fish#speak().
    end
    class Shop
      def self.sell = Fish.make
      def speak; end
    end
    fish = Fish.make
    fish.speak
         ^ Fish#speak().
    Fish.made.speak
              ^ Fish#speak().
    Fish.late.speak
              ^ Fish#speak().
    Fish.kept.speak
              ^ Fish#speak().
    Fish.own.speak
             ^ Fish#speak().
    Fish.new.again.speak
                   ^ Fish#speak().
    Fish.new.other.speak
                   ^ Fish#speak().
    Fish.each_made { |one| one.speak }
                               ^ Fish#speak().
    Animal.make.speak
                ^ Animal#speak().
    Shop.sell.speak
              ^ Fish#speak().
  `);
});

test('a method that a class makes by a call is of its objects, or of the class right in its own part', async () => {
  await expectLinks(`
    -- a.rb --
    class Command
      class << self
        def option; end
        def sub(name)
          option
          ^ Command#option(static).
          define_method(name) do |*args|
            @ready = option
                     ^ Command#option().
          end
          define_method(:made) { option }
                                 ^ Command#option().
        end
        define_method(:ours) { option }
                               ^ Command#option(static).
      end
      def self.more(name)
        define_method(name) { option }
                              ^ Command#option().
      end
      define_method(:plain) { option }
                              ^ Command#option().
      def option; end
      def run
        @ready
        ^ Command#\`@ready\`.
      end
    end
    Command.ours
            ^ Command#ours(static).
    -- b.rb --
    module Fields
      def field; end
      def add(name)
        define_method(name) { field }
                              ^ ?
      end
    end
  `);
});

test('a method’s name that stands for a block is a call of what the block would get', async () => {
  await expectLinks(`
    -- a.rb --
    class Wheel
      def turn; end
      def stop; end
    end
    class Cart
      def stop; end
    end
    class Lone
      def rbu1; end
    end
    [Wheel.new].each(&:turn)
                       ^ Wheel#turn().
    [Wheel.new].each_with_index(1, &:stop)
                                     ^ Wheel#stop().
    def all(many, &block)
      many.map(&:stop)
                 ^ ?
      many.map(&:rbu1)
                 ^ Lone#rbu1().
      many.map(&:to_s)
                 ^ std ruby:Object.to_s
      many.map(&:nil?)
                 ^ std ruby:Object.nil?
      many.map(&block)
    end
  `);
});

test('what a file includes outside of all classes is everybody’s there', async () => {
  await expectLinks(`
    -- lib/store.rb --
    module Store
      LIMIT = 3
      class Config
        def self.instance; new; end
        def load; end
      end
      def helper; end
    end
    module Lone; def apart; end; end
    -- lib/run.rb --
    require_relative 'store'
    include Store
            ^ Store#
    Config.instance.load
    ^ Store#Config#
           ^ Store#Config#instance(static).
                    ^ Store#Config#load().
    LIMIT
    ^ Store#LIMIT.
    helper
    ^ Store#helper().
    class User
      def run; Config; helper; end
               ^ Store#Config#
                       ^ Store#helper().
    end
    -- lib/other.rb --
    Config
    ^ gem config:Config
    class Apart
      include Lone
    end
    apart
    ^ ?
    -- lib/user.rb --
    require_relative 'run'
    Config.instance
    ^ Store#Config#
           ^ Store#Config#instance(static).
  `);
});

test('what is added to a module of a dependency may be what another of its classes has', async () => {
  await expectLinks(`
    -- test/helper.rb --
    module Minitest::Assertions
      def assert_exist(path); end
      def twice; end
    end
    class Minitest::Spec
      def twice; end
    end
    class Other::Assertions
      def apart; end
    end
    -- test/some_test.rb --
    class SomeTest < Minitest::Test
      def test_file
        assert_exist 'a'
        ^ Minitest#Assertions#assert_exist().
        assert_equal 1, 2
        ^ gem minitest:Minitest.Test.assert_equal
        twice
        ^ ?
        apart
        ^ elsewhere
      end
      should 'be there' do
        assert_exist 'a'
        ^ Minitest#Assertions#assert_exist().
      end
    end
  `);
});

test('what is added to a class of a framework those have that the framework builds on it', async () => {
  await expectLinks(`
    -- test/helper.rb --
    class ActiveSupport::TestCase
      def setup_mailer; end
      def self.with_mailer; end
    end
    class ActionController::Base
      def signed_in_only; end
    end
    -- test/some_test.rb --
    class SomeTest < ActionMailer::TestCase
      with_mailer
      ^ ActiveSupport#TestCase#with_mailer(static).
      def prepare
        setup_mailer
        ^ ActiveSupport#TestCase#setup_mailer().
        signed_in_only
        ^ elsewhere
        deliver_now
        ^ gem action_mailer:ActionMailer.TestCase.deliver_now
      end
      test 'x' do
        setup_mailer
        ^ ActiveSupport#TestCase#setup_mailer().
      end
    end
    class MailerTest < SomeTest
      def test_mail = setup_mailer
                      ^ ActiveSupport#TestCase#setup_mailer().
    end
  `);
});

test('what an unknown class may have of a name that the repository defines is nobody knows whose', async () => {
  await expectLinks(`
    -- lib/page.rb --
    class Page
      def plain_helper; end
      def update; end
    end
    class Plain < Ext::Base
      def run
        plain_helper
        ^ elsewhere
        self.plain_helper
             ^ elsewhere
        theirs
        ^ gem ext:Ext.Base.theirs
        update
        ^ gem ext:Ext.Base.update
        in_tests
        ^ gem ext:Ext.Base.in_tests
      end
      def plain_helper_too
        super
        ^ gem ext:Ext.Base.plain_helper_too
      end
    end
    Plain.plain_helper
          ^ elsewhere
    -- lib/context.rb --
    class Contexts
      def context; end
    end
    -- test/page_test.rb --
    class Helper
      def in_tests; end
    end
    class PageTest < Ext::TestCase
      context('x') { }
      ^ gem ext:Ext.TestCase.context
      def test_x = in_tests
                   ^ elsewhere
    end
  `);
});

test('a module gives those that include it the methods of its ClassMethods, as it writes them or by a block', async () => {
  await expectLinks(`
    -- lib/tokens.rb --
    module Tokens
      extend ActiveSupport::Concern
      class_methods do
        attr_accessor :token_length
        def find_token(x)
          token_length
          ^ Tokens#ClassMethods#token_length().
          @found = x
          @found
          ^ Tokens#\`static @found\`.
        end
      end
      def reset
        self.class.find_token(1)
                   ^ Tokens#ClassMethods#find_token().
      end
    end
    module Recovery
      module ClassMethods
        def by_token(token); end
      end
    end
    class User < ActiveRecord::Base
      include Tokens
      devise :recovery
      def run = find_token(1)
                ^ elsewhere
    end
    class Plain
      include Tokens
    end
    User.find_token(1)
         ^ Tokens#ClassMethods#find_token().
    User.by_token('a')
         ^ Recovery#ClassMethods#by_token().
    User.find(1)
         ^ gem active_record:ActiveRecord.Base.find
    Plain.find_token(1)
          ^ Tokens#ClassMethods#find_token().
  `);
});

test('a mailer is asked itself for the mails that its objects make', async () => {
  await expectLinks(`
    -- app/mailers/user_mailer.rb --
    class UserMailer < ApplicationMailer
      def welcome(user); end
    end
    class ApplicationMailer < ActionMailer::Base
    end
    UserMailer.welcome(1).deliver_later
               ^ UserMailer#welcome().
    UserMailer.with(1)
               ^ gem action_mailer:ActionMailer.Base.with
  `);
});

test('every object has what the repository adds to Object', async () => {
  await expectLinks(`
    -- lib/everywhere.rb --
    class Object
      def mine; end
    end
    class Cart < Ext::Base
      def run
        mine
        ^ Object#mine().
        Cart.new.mine
                 ^ Object#mine().
        theirs
        ^ gem ext:Ext.Base.theirs
      end
    end
    mine
    ^ Object#mine().
    Cart.mine
         ^ Object#mine().
    -- test/added.rb --
    module Kernel
      def of_tests; end
    end
    class Tested
      def run = of_tests
                ^ Kernel#of_tests().
    end
    -- lib/other.rb --
    class Other
      def run = of_tests
                ^ ?
    end
  `);
});

test('what a repository adds to a class of the library its values have', async () => {
  await expectLinks(`
    -- lib/shout.rb --
    class String
      def shout; self + '!'; end
      def twice; shout; end
                 ^ String#shout().
    end
    class Object
      def mine; true; end
    end
    -- lib/run.rb --
    'a'.shout
        ^ String#shout().
    text = 'b'
    text.shout.size
         ^ String#shout().
    ['x'].map(&:shout)
                ^ String#shout().
    1.mine
      ^ Object#mine().
    'a'.upcase
        ^ std ruby:upcase
  `);
});

test('what a script defines for itself is not there for others', async () => {
  await expectLinks(`
    -- bench/one.rb --
    class Document; def render_all; end; end
    def site; end
    site
    ^ site().
    -- bench/two.rb --
    require_relative 'one'
    Document.new.render_all
    ^ Document#
                 ^ Document#render_all().
    -- bench/three.rb --
    Document
    ^ gem document:Document
    def run(any) = any.render_all
                       ^ ?
    -- lib/page.rb --
    module Page
      class Document; end
      def run; site; end
               ^ ?
    end
    -- test/page_test.rb --
    include Page
    Document.new
    ^ Page#Document#
  `);
});
