import { z } from 'zod';
import type { StartOptions } from './start.mts';

const isPort = (text: string) => /^\d+$/.test(text) && Number(text) <= 65_535;

const schema = z
	.object({
		PORT: z
			.string()
			.refine(isPort, 'must be a number from 0 to 65535')
			.transform(Number)
			.default(5800),
		HOST: z.string().default('127.0.0.1'),
		DATA: z.string().default(':memory:'),
		BASE_URL: z
			.url({ protocol: /^https?$/, error: 'must be an address such as http://localhost:5800' })
			.optional(),
	})
	.transform(
		({ PORT: port, HOST: host, DATA: data, BASE_URL: url }): StartOptions => ({
			port,
			host,
			data,
			baseUrl: url?.replace(/\/+$/, ''),
		}),
	);

/** @throws where a variable cannot be used, naming it */
export function readConfiguration(environment: Record<string, string | undefined>): StartOptions {
	const set = Object.entries(environment).filter(([, value]) => value);
	const { data, error } = schema.safeParse(Object.fromEntries(set));
	if (data) return data;
	const problems = error.issues.map(({ path, message }) => `${path.join()} ${message}`);
	throw new Error(problems.join('; '));
}
