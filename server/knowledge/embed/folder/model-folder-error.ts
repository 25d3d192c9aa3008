/** A file of a model folder is missing or unusable. The message names the folder, the file, and the problem. */
export class ModelFolderError extends Error {
  /** Path in the folder. */
  readonly file: string

  constructor(folder: string, file: string, problem: string, options?: ErrorOptions) {
    super(`${folder}: ${file} ${problem}`, options)
    this.file = file
  }
}
