import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

test('the only method of a name is meant on a receiver that nobody knows', async () => {
  await expectLinks(`
    -- lib/cart.rb --
    class Cart
      def add_line(line); end
      def self.empty_all; end
      def status; end
      def map; end
      def shared_name; end
    end
    class Box
      def shared_name; end
    end
    def top_method; end
    class Shop
      def run(cart)
        cart.add_line(1)
             ^ Cart#add_line().
        cart.empty_all
             ^ ?
        cart.status
             ^ ?
        cart.map
             ^ ?
        cart.shared_name
             ^ ?
        cart.top_method
             ^ ?
        cart.only_in_tests
             ^ ?
        String.new.add_line
                   ^ std ruby:String.add_line
      end
    end
    -- test/cart_test.rb --
    class Stand
      def only_in_tests; end
    end
  `);
});

test('of methods that override one another the one above is meant', async () => {
  await expectLinks(`
    -- a.rb --
    class Page
      def render_page; end
    end
    class Post < Page
      def render_page; end
    end
    class Draft < Post
      def render_page; end
    end
    def run(page)
      page.render_page
           ^ Page#render_page().
    end
  `);
});

test('forwarded methods are there', async () => {
  await expectLinks(`
    -- a.rb --
    class Cart
      extend Forwardable
      def_delegators :@lines, :size, :first
      def_delegator :@lines, :last, :newest
      delegate :owner, to: :account
      def run
        [size, newest, owner, last]
         ^ Cart#size().
               ^ Cart#newest().
                       ^ Cart#owner().
                              ^ ?
      end
    end
  `);
});
