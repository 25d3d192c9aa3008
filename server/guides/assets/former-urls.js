// The API reference was at /docs, and its links to operations have a fragment such as #/contacts/contacts.create.
if (location.pathname === '/docs' && location.hash.startsWith('#/')) location.replace(`/docs/reference${location.hash}`)
