// Builds the program and the dashboard if their sources have changed. Usage: npm run build
import { build } from './compile.mjs'

await build('program', 'dashboard')
