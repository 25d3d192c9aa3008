// Runs the command line, built if need be, in this process. Usage: npm run --silent groundwork -- COMMAND [OPTION…]
import { build } from './compile.mjs'

await build('program')
await import('../cli/dist/main.js')
