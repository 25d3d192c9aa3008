#!/usr/bin/env node
// `groundwork start` starts the program; other commands are those of the command line.
const modules = new URL('../program/node_modules/@groundwork/', import.meta.url)
await import(new URL(process.argv[2] === 'start' ? 'server/dist/main.js' : 'cli/dist/main.js', modules).href)
