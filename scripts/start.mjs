// Starts Groundwork, built if need be, in this process: a signal to it is a signal to the server. Usage: npm start
import { build } from './compile.mjs'

await build('program', 'dashboard')
await import('../server/dist/main.js')
