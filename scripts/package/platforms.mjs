/** The platforms with native parts of all dependencies. */
export const platforms = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64']

export const thisPlatform = `${process.platform}-${process.arch}`

/**
 * Returns whether a package runs on a platform, by the fields of its package.json or lock file. On Linux, the program uses the
 * GNU C library.
 * @param {{ os?: string[], cpu?: string[], libc?: string[] | string }} limits
 */
export function runsOn(platform, { os, cpu, libc }) {
  const [system, processor] = platform.split('-')
  return allows(os, system) && allows(cpu, processor) && (system !== 'linux' || allows(libc === undefined ? libc : [libc].flat(), 'glibc'))
}

function allows(list, value) {
  if (list === undefined) return true
  if (list.includes(`!${value}`)) return false
  const named = list.filter((one) => !one.startsWith('!'))
  return named.length === 0 || named.includes(value)
}
