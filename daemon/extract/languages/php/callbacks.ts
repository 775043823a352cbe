import { endingIn } from './names.ts';
import type { Walk } from './walk.ts';

/** Refers to what a call is given to be called back, by its name in a text: `usort($all, 'by_name')`. */
export function referToCallbacks(walk: Walk, called: string, list: number): void {
  const { tree } = walk;
  const name = called.replace(/^.*\\/, '').toLowerCase();
  const place = Object.hasOwn(places, name) ? places[name]! : -1;
  if (place < 0) return;
  const given = tree.namedChildren(list).filter(one => tree.kind(one) === 'argument');
  const argument = place === last ? given.at(-1) : given[place];
  if (argument !== undefined) referToCallback(walk, tree.namedChildren(argument).at(-1) ?? -1);
}

/** The same of an array whose key says so: `'render_callback' => 'show'`. */
export function referToCallbackAt(walk: Walk, element: number): void {
  const { tree } = walk;
  const [key = -1, value = -1] = tree.namedChildren(element);
  if (/^(?:\w*_)?(?:callback|cb|callable)$/.test(tree.text(contentOf(walk, key)))) referToCallback(walk, value);
}

/** A function by its whole name, or the class of a method. */
function referToCallback(walk: Walk, text: number): void {
  const { tree, facts } = walk;
  const content = contentOf(walk, text);
  const [, path, method] =
    /^\\{0,2}((?:\w{1,200}\\{1,2}){0,20}[A-Za-z_]\w{0,200})(::\w{1,200})?$/.exec(tree.text(content)) ?? [];
  if (path === undefined) return;
  const tail = path.replace(/\\{1,2}/g, '/');
  const name = tail.slice(tail.lastIndexOf('/') + 1);
  facts.refer(content, 'reference', facts.free(endingIn(tail, method === undefined ? '()' : '#')), name);
}

/** What stands between the quotes of a text that has nothing to fill in; -1 of anything else. */
function contentOf({ tree }: Walk, node: number): number {
  if (!/^(?:encapsed_)?string$/.test(tree.kind(node))) return -1;
  const parts = tree.namedChildren(node);
  return parts.length === 1 && tree.kind(parts[0]!) === 'string_content' ? parts[0]! : -1;
}

const last = 100;

function at(place: number, names: string): readonly (readonly [string, number])[] {
  return names.split(/\s+/).map(name => [name, place] as const);
}

/** Where functions of PHP and of WordPress take what they call. */
const places: Readonly<Record<string, number>> = Object.fromEntries([
  ...at(
    0,
    `array_map call_user_func call_user_func_array forward_static_call forward_static_call_array register_shutdown_function
    register_tick_function set_error_handler set_exception_handler spl_autoload_register ob_start header_register_callback
    is_callable iterator_apply`,
  ),
  ...at(
    1,
    `usort uasort uksort array_filter array_walk array_walk_recursive array_reduce preg_replace_callback array_find array_any
    array_all add_action add_filter remove_action remove_filter has_action has_filter add_shortcode register_activation_hook
    register_deactivation_hook register_uninstall_hook add_feed`,
  ),
  ...at(2, 'add_meta_box add_settings_section add_settings_field wp_add_dashboard_widget'),
  ...at(4, 'add_menu_page add_options_page add_management_page add_theme_page add_plugins_page add_users_page'),
  ...at(5, 'add_submenu_page'),
  ...at(
    last,
    `array_udiff array_udiff_assoc array_udiff_uassoc array_uintersect array_uintersect_assoc array_uintersect_uassoc
    array_diff_ukey array_diff_uassoc array_intersect_ukey array_intersect_uassoc`,
  ),
]);
