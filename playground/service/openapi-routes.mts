type Method = 'get' | 'post' | 'put' | 'delete';
type Description = { paths: Record<string, object> };

export type Route = { method: Method; path: string; operationId: string };

/** Lists the routes of an OpenAPI description, with paths in Express's notation. */
export const routesOf = ({ paths }: Description): Route[] =>
	Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods as Record<Method, { operationId: string }>).map(
			([method, { operationId }]) => ({
				method: method as Method,
				path: path.replace(/\{(\w+)\}/g, ':$1'),
				operationId,
			}),
		),
	);
