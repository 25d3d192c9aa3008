// Builds the program and the dashboard, unless they are built from the present sources. Usage: npm run build
import { build } from './compile.mjs'

await build('program', 'dashboard')
