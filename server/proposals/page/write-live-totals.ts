import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build, defaultClientConditions } from 'vite'

const source = fileURLToPath(new URL('live-totals.ts', import.meta.url))
const target = new URL('assets/live-totals.js', import.meta.url)

const outputs = await build({
  configFile: false,
  logLevel: 'warn',
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: { write: false, minify: true, target: 'es2022', lib: { entry: source, formats: ['es'], fileName: 'live-totals' } },
})
const [script] = [outputs].flat().flatMap((bundle) => ('output' in bundle ? bundle.output : []))
if (script?.type !== 'chunk') throw new Error('the bundle has no script')
const module = `// The bundle of live-totals.ts, made by \`npm run live-totals\`.\n${script.code}`

if (!process.argv.includes('--check')) {
  writeFileSync(target, module)
} else if (readFileSync(target, 'utf8') !== module) {
  console.error('assets/live-totals.js is not the bundle of live-totals.ts: run npm run live-totals and commit it')
  process.exitCode = 1
}
