import { gzipSync } from 'node:zlib';
import type { FaultOf } from './fault.mts';

type Cut = FaultOf<'cutOff'>['how'];

const damaged = (bytes: Buffer): Buffer => bytes.fill(0xff, 10, bytes.length - 8);

/** Headers that promise the whole body, and the bytes to send. */
const cuts: Record<Cut, (body: Buffer) => [headers: string, sent: Buffer]> = {
	length: (body) => [`Content-Length: ${body.length + 9}`, body.subarray(0, body.length / 2)],
	chunks: (body) => {
		const half = body.subarray(0, body.length / 2);
		const chunk = [`${half.length.toString(16)}\r\n`, half, '\r\n'];
		return ['Transfer-Encoding: chunked', Buffer.concat(chunk.map((part) => Buffer.from(part)))];
	},
	gzip: (body) => {
		const sent = damaged(gzipSync(body));
		return [`Content-Encoding: gzip\r\nContent-Length: ${sent.length}`, sent];
	},
};

/** Builds an HTTP reply that ends too early or cannot be decompressed. */
export function cutOff(how: Cut, status: number, body: Buffer): Buffer {
	const [headers, sent] = cuts[how](body);
	const head = `HTTP/1.1 ${status} Cut\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
	return Buffer.concat([Buffer.from(head), sent]);
}
