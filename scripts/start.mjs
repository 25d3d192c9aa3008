// Starts Groundwork in this process, after a build if necessary, so signals reach the server directly. Usage: npm start
import { build } from './compile.mjs'

await build('program', 'dashboard')
await import('../server/dist/main.js')
