// Runs the command line in this process, after a build if necessary. Usage: npm run --silent groundwork -- COMMAND [OPTION…]
import { build } from './compile.mjs'

await build('program')
await import('../cli/dist/main.js')
