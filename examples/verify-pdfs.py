#!/usr/bin/env python3
"""Verifies PDFs of completed proposals as docs/certificates.md specifies them, without any code of Groundwork.

Usage: verify-pdfs.py PDF...
Checks that no byte was changed since the PDF was sealed, and that the attached proposal.json has the hash that the certificate names.
Verify the attached certificate.json with verify-certificates.py. Needs the package "cryptography". Prints one line for each fault and
exits with 1 if there is one.
"""

import hashlib
import json
import re
import sys
import zlib

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256


def der(tag, *parts):
    content = b"".join(parts)
    size = len(content)
    length = b"" if size < 128 else size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 128 + len(length) if length else size]) + length + content


def elements(data):
    """Returns tag, content and whole of each element."""
    found, at = [], 0
    while at < len(data):
        count = data[at + 1] - 128 if data[at + 1] >= 128 else 0
        start = at + 2 + count
        size = int.from_bytes(data[at + 2 : start], "big") if count else data[at + 1]
        if start + size > len(data):
            raise ValueError("not DER")
        found.append((data[at], data[start : start + size], data[at : start + size]))
        at = start + size
    return found


def parts(element):
    return elements(element[1])


def oid(hexadecimal):
    return der(6, bytes.fromhex(hexadecimal))


DATA, SIGNED_DATA = oid("2a864886f70d010701"), oid("2a864886f70d010702")
CONTENT_TYPE, MESSAGE_DIGEST = oid("2a864886f70d010903"), oid("2a864886f70d010904")
SHA256_ALGORITHM = der(0x30, oid("608648016503040201"), der(5))
RSA_ALGORITHM = der(0x30, oid("2a864886f70d010101"), der(5))
ONE = der(2, b"\1")


def first_element(data):
    count = data[1] - 128 if data[1] >= 128 else 0
    size = int.from_bytes(data[2 : 2 + count], "big") if count else data[1]
    return data[: 2 + count + size]


def faults_of_seal(data):
    ranges = re.findall(rb"/ByteRange \[0 (\d+) (\d+) (\d+)\]", data)
    if not ranges:
        yield "there is no seal"
        return
    end, start, length = map(int, ranges[-1])
    gap = re.fullmatch(rb"<([0-9a-f]+)>", data[end:start])
    if start + length != len(data) or gap is None:
        yield "the seal does not cover the whole file"
        return
    signed, contents = data[:end] + data[start:], bytes.fromhex(gap[1].decode())
    whole = first_element(contents)
    _, wrapped = parts(elements(whole)[0])
    _, _, _, certificates, signers = parts(parts(wrapped)[0])
    _, identifier, _, attributes, _, signature = parts(parts(signers)[0])
    # The parts that the signature does not cover must be in their only form.
    info = [ONE, identifier[2], SHA256_ALGORITHM, der(0xA0, attributes[1]), RSA_ALGORITHM, der(4, signature[1])]
    content = [ONE, der(0x31, SHA256_ALGORITHM), der(0x30, DATA), der(0xA0, certificates[1]), der(0x31, der(0x30, *info))]
    if der(0x30, SIGNED_DATA, der(0xA0, der(0x30, *content))) != whole or contents[len(whole) :].strip(b"\0"):
        yield "the signature is not in its only form"
    named = re.search(rb"/ContactInfo \(SHA-256 of the certificates: ([0-9a-f]{64})\)", data[data.rfind(b" obj", 0, end) :])
    if named is None or named[1].decode() != hashlib.sha256(certificates[1]).hexdigest():
        yield "the certificates were changed"
    fields = [parts(parts(each)[0]) for each in parts(certificates)]
    signer = [each[2] for each, f in zip(parts(certificates), fields) if der(0x30, f[3][2], f[1][2]) == identifier[2]]
    if not signer:
        yield "the certificate of the signer is missing"
        return
    values = {parts(each)[0][2]: parts(each)[1][1] for each in parts(attributes)}
    if values.get(CONTENT_TYPE) != DATA or values.get(MESSAGE_DIGEST) != der(4, hashlib.sha256(signed).digest()):
        yield "the file was changed after it was sealed"
    x509.load_der_x509_certificate(signer[0]).public_key().verify(signature[1], der(0x31, attributes[1]), PKCS1v15(), SHA256())


def attachments_of(data):
    for match in re.finditer(rb"/Type /EmbeddedFile.*?stream\r?\n", data, re.DOTALL):
        yield zlib.decompressobj().decompress(data[match.end() :])


def faults_of_offer(data):
    attached = list(attachments_of(data))
    certificates = [text for text in attached if text.startswith(b'{"certificate":')]
    if len(certificates) != 1:
        yield "there is not one certificate"
        return
    content_hash = json.loads(certificates[0])["certificate"]["contentHash"]
    if content_hash not in [hashlib.sha256(text).hexdigest() for text in attached]:
        yield "the accepted content is not attached"


def main(*names):
    faults = []
    for name in names:
        with open(name, "rb") as file:
            data = file.read()
        for check in (faults_of_seal, faults_of_offer):
            try:
                faults += [f"{name}: {fault}" for fault in check(data)]
            except Exception as error:  # A damaged file can fail in any way.
                faults.append(f"{name}: damaged ({type(error).__name__})")
    print("\n".join(faults) if faults else f"{len(names)} PDFs are valid.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
