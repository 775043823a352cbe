import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('what a group of examples defines is its file’s own', async () => {
  await expectLinks(`
    -- spec/cart_spec.rb --
    RSpec.describe Cart do
      let(:cart) { described_class.new }
      subject(:sum) { cart.total }
                      ^ spec/cart_spec.rb static/cart().
                           ^ Cart#total().
      before { @list = Cart.new }
      def filled = cart
      it 'adds up' do
        filled.total
        ^ spec/cart_spec.rb static/filled().
               ^ Cart#total().
        @list.total
        ^ spec/cart_spec.rb static/\`@list\`.
              ^ Cart#total().
        subject.to_s
        sum
        ^ spec/cart_spec.rb static/sum().
        helped
        ^ helped().
        stray
        ^ ?
      end
    end
    -- spec/other_spec.rb --
    module Shop
      describe Cart do
        let(:stray) { 1 }
        it { cart }
             ^ ?
        it { stray }
             ^ spec/other_spec.rb Shop#static/stray().
      end
    end
    def late; end
    -- spec/spec_helper.rb --
    RSpec.configure do |config|
      def helped; late; end
                  ^ ?
    end
    -- lib/cart.rb --
    class Cart
      def total; end
    end
  `);
});

test('the subject of a group without one is an object of what it describes', async () => {
  await expectLinks(`
    -- spec/a_spec.rb --
    describe Cart do
      it { subject.total }
                   ^ Cart#total().
      context 'when large' do
        subject { Box.new }
        it { subject.fill }
                     ^ Box#fill().
      end
      it { subject.fill }
                   ^ ?
    end
    -- lib/a.rb --
    class Cart
      def total; end
    end
    class Box
      def fill; end
      def total; end
    end
  `);
});

test('examples of Minitest have what the repository adds to their class', async () => {
  await expectLinks(`
    -- test/helper.rb --
    class Minitest::Spec
      def mock_app; end
    end
    -- test/a_test.rb --
    describe 'it' do
      it { mock_app }
           ^ Minitest#Spec#mock_app().
    end
    -- spec/a_spec.rb --
    describe 'it' do
      it { mock_app }
           ^ ?
    end
  `);
});

test('a block is run for what the method says that it is handed to', async () => {
  await expectLinks(`
    -- app.rb --
    class App
      def self.get(path, &handler) = route('GET', handler)
      def self.route(verb, block) = made(&block)
      def self.made(&block)
        define_method(:x, &block)
      end
      def self.use(what); end
      def self.draw(&block) = class_eval(&block)
      def status; end
    end
    class Builder
      def initialize(&block)
        instance_eval(&block)
      end
      def run(app); end
    end
    def fresh_app(base = App, &block)
      made = Class.new(base)
      made.class_eval(&block)
    end
    Builder.new do
      run 1
      ^ Builder#run().
    end
    App.draw { use 2 }
               ^ App#use(static).
    -- test/app_test.rb --
    class AppTest < Minitest::Test
      def status; end
      it 'works' do
        fresh_app do
          use 1
          ^ App#use(static).
          get('/') { status }
          ^ App#get(static).
                     ^ App#status().
          helpers { status }
                    ^ App#status().
        end
        status
        ^ AppTest#status().
      end
    end
  `);
});

test('what a block is called with is what its method yields', async () => {
  await expectLinks(`
    -- a.rb --
    class Cart
      def total; end
    end
    class Shop
      def each_cart(&block)
        block.call(Cart.new)
      end
      def run = each_cart { |cart| cart.total }
                                        ^ Cart#total().
    end
  `);
});
