import { parentProcess } from '../../lib/background-process.ts'
import { serveModel, type ModelOptions } from './serve-model.ts'

/** `bundled.ts` starts this process with these options. */
const options = (): ModelOptions => JSON.parse(process.argv[2] ?? '') as ModelOptions

await serveModel(options(), parentProcess())
