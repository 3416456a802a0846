import type { StartOptions } from './start.mts';

type Environment = Record<string, string | undefined>;

const switches: Record<string, boolean> = { true: true, false: false };

function portIn({ PORT = '5800' }: Environment): number {
	const port = Number(PORT);
	if (/^\d+$/.test(PORT) && port <= 65_535) return port;
	throw new Error(`PORT must be a number from 0 to 65535, not "${PORT}".`);
}

function baseUrlIn({ BASE_URL }: Environment): string | undefined {
	if (!BASE_URL) return undefined;
	const url = URL.parse(BASE_URL);
	if (url && /^https?:$/.test(url.protocol)) return BASE_URL.replace(/\/+$/, '');
	throw new Error(`BASE_URL must be an address such as http://localhost:5800, not "${BASE_URL}".`);
}

function switchIn(environment: Environment, name: string, fallback: boolean): boolean {
	const text = environment[name];
	if (!text) return fallback;
	const value = switches[text.toLowerCase()];
	if (value === undefined) throw new Error(`${name} must be true or false, not "${text}".`);
	return value;
}

export const readConfiguration = (environment: Environment): StartOptions => ({
	port: portIn(environment),
	host: environment.HOST || '127.0.0.1',
	data: environment.DATA || ':memory:',
	baseUrl: baseUrlIn(environment),
	validateResponses: switchIn(environment, 'VALIDATE_RESPONSES', true),
});
