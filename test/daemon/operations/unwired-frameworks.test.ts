import { testClaims } from './claims-in-trees.ts';

testClaims([
  {
    what: 'a site of Django is no library: it has settings, addresses, models and commands found, and classes by their names in texts',
    tree: `
-- requirements.txt --
django
-- manage.py --
import os
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site1.settings")
-- site1/__init__.py --
-- site1/settings.py --
ROOT_URLCONF = "site1.urls"
MIDDLEWARE = ["blog.guards.Guard"]
-- site1/urls.py --
from blog.views import index
urlpatterns = [index]
-- blog/__init__.py --
-- blog/views.py --
from blog import senders
def index(request): return senders
def lost_view(request): return None
-- blog/senders.py --
SENDERS = {"mail": "blog.mail.Mail"}
-- blog/mail.py --
class Mail: pass
-- blog/guards.py --
class Guard: pass
-- blog/models.py --
class Post: pass
-- blog/management/commands/tidy.py --
class Command: pass
-- blog/left.py --
def left(): pass
`,
    sure: ['lost_view 0.85'],
    unsure: ['left 0.6'],
  },
  {
    what: 'a project of Composer is nobody’s library, what is called back by a name in a text is used, and folders are looked through',
    tree: `
-- composer.json --
{ "name": "a/b", "type": "project", "autoload": { "psr-4": { "App\\\\": "app/" }, "files": ["app/helpers.php"] } }
-- artisan --
#!/usr/bin/env php
<?php require __DIR__ . '/bootstrap.php';
-- bootstrap.php --
<?php
usort($all, 'by_name');
add_action('init', 'started');
register(['render_callback' => 'shown']);
$class = 'App\\\\Rules\\\\' . $name;
function by_name($a, $b) { return 0; }
function started() {}
function shown() {}
function init() {}
-- app/helpers.php --
<?php
function helper() {}
-- app/Rules/One.php --
<?php
namespace AppRules;
class One {}
-- app/Finder.php --
<?php
namespace App;
class Finder { function all() { return glob(__DIR__ . '/Found/*.php'); } }
-- app/Found/Two.php --
<?php
namespace AppFound;
class Two {}
-- app/Console/Run.php --
<?php
namespace AppConsole;
use App\\Finder;
class Run { function handle(Finder $finder) {} }
-- app/Lost.php --
<?php
namespace App;
class Lost {}
`,
    sure: ['Lost 0.8'],
    unsure: ['init 0.6'],
  },
  {
    what: 'WordPress starts files whose heads say what they are',
    tree: `
-- plugin.php --
<?php
/* Plugin Name: X */
require_once __DIR__ . '/inc/all.php';
add_shortcode('x', 'shown');
-- inc/all.php --
<?php
function shown() {}
function lost() {}
`,
    sure: ['lost 0.8'],
    unsure: [],
  },
  {
    what: 'Rails finds controllers, helpers and models',
    tree: `
-- Gemfile --
gem 'rails'
-- config/application.rb --
class Application; end
-- app/controllers/posts_controller.rb --
class PostsController; end
-- app/models/post.rb --
class Post; end
-- app/services/left.rb --
class Left; end
-- app/javascript/application.js --
import { go } from './go.js';
go();
-- app/javascript/lib/far.js --
export const far = 1;
-- app/javascript/go.js --
export const go = () => 1;
`,
    sure: [],
    unsure: ['Left 0.6', 'far 0.5'],
  },
]);
