#!/usr/bin/env python3
"""Verifies certificates of proposals as docs/certificates.md specifies them, without any code of Groundwork.

Usage: verify-certificates.py KEYS CERTIFICATE...
Needs the package "cryptography". Prints one line for each fault and exits with 1 if there is one.
"""

import base64
import hashlib
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey


def canonical(value):
    # Equals RFC 8785 for names of ASCII letters and integers, which the format guarantees.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def decode(text):
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def faults_of(data, keys):
    signed = json.loads(data)
    certificate = signed["certificate"]
    if canonical(signed) != data:
        yield "not canonical JSON"
    if certificate["format"] != "groundwork-certificate/1" or set(signed) != {"certificate", "signature"}:
        yield "unknown format"
    if sha256(canonical(certificate["content"])) != certificate["contentHash"]:
        yield "contentHash is not the hash of the content"
    key = keys.get(certificate["keyId"])
    if key is None or key["x"] != certificate["publicKey"]:
        yield "the key is not in the key file"
        return
    # Times of this form compare like texts.
    if certificate["issuedAt"] < key["createdAt"] or (key["retiredAt"] or "9999") < certificate["issuedAt"]:
        yield "the key was not in use at the time"
    try:
        Ed25519PublicKey.from_public_bytes(decode(key["x"])).verify(decode(signed["signature"]), canonical(certificate))
    except InvalidSignature:
        yield "the signature is not valid"


def faults_of_chain(files):
    links = [(json.loads(data)["certificate"], sha256(data)) for data in set(files.values())]
    chain = sorted(links, key=lambda link: link[0]["sequence"])
    for (before, before_hash), (after, _) in zip(chain, chain[1:]):
        numbers = f'certificates {before["sequence"]} and {after["sequence"]}'
        if after["sequence"] != before["sequence"] + 1:
            yield f"{numbers} are not consecutive"
        elif after["previousHash"] != before_hash:
            yield f"{numbers} do not belong together"
        elif after["issuedAt"] < before["issuedAt"]:
            yield f"{numbers} are not in the order of their times"


def main(key_file, *names):
    with open(key_file, encoding="utf-8") as file:
        keys = {key["kid"]: key for key in json.load(file)["keys"]}
    files, faults = {}, []
    for name in names:
        with open(name, "rb") as file:
            data = file.read()
        try:
            found = list(faults_of(data, keys))
            files[name] = data
        except (ValueError, KeyError, TypeError, AttributeError):
            found = ["not a certificate"]
        faults += [f"{name}: {fault}" for fault in found]
    faults += faults_of_chain(files)
    print("\n".join(faults) if faults else f"{len(names)} certificates are valid.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
