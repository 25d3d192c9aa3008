import { readFileSync, writeFileSync } from 'node:fs'
import loadWabt from 'wabt'

const source = new URL('kernel.wat', import.meta.url)
const target = new URL('kernel.wasm.ts', import.meta.url)

const wabt = await loadWabt()
const { buffer } = wabt.parseWat('kernel.wat', readFileSync(source, 'utf8'), { simd: true }).toBinary({})
const module = `/** \`kernel.wat\`, assembled by \`npm run kernel\`. */
export const kernelWasm =
  '${Buffer.from(buffer).toString('base64')}'
`

if (!process.argv.includes('--check')) {
  writeFileSync(target, module)
} else if (readFileSync(target, 'utf8') !== module) {
  console.error('kernel.wasm.ts is not what kernel.wat says: run npm run kernel and commit it')
  process.exitCode = 1
}
