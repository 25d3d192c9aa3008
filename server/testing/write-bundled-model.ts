import { bundledModelFiles, writeFiles } from './model-folders.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name a folder.')
await writeFiles(folder, await bundledModelFiles('int8'))
