/**
 * All that runs here of the schema library. It comes as 683 small modules, which cost each start of a daemon 100 ms and
 * more; the build makes this module one file with all of it inside.
 */
import { Settings } from 'typebox/system';

// Of a question with many wrong fields each is to be named, and not the first eight.
Settings.Set({ maxErrors: 64 });

// biome-ignore lint/performance/noBarrelFile: one file is the point
export { default as Type } from 'typebox';
export { Compile, type Validator } from 'typebox/compile';
