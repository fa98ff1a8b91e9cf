package dev.fakegpu.e2e.faults;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A request to the API server, in RBAC terms.
 *
 * @param verb the verb, such as {@code list}, or the method in lower case if the path is not that of a resource
 * @param resource the resource, such as {@code resourceclaims/status}; empty if the path is not that of a resource
 */
public record ApiRequest(String verb, String resource) {

    private static final Set<String> READS = Set.of("get", "list", "watch");

    /**
     * Parses a request line.
     *
     * @param uri the path and the query
     */
    static ApiRequest of(String method, String uri) {
        int query = uri.indexOf('?');
        List<String> path = List.of((query < 0 ? uri : uri.substring(0, query))
                .replaceAll("^/+|/+$", "")
                .split("/"));
        int prefix = path.get(0).equals("api") ? 2 : path.get(0).equals("apis") ? 3 : path.size();
        if (path.size() <= prefix) {
            return new ApiRequest(verb(method, true), "");
        }
        List<String> rest = path.subList(prefix, path.size());
        // Namespaces are also a resource: /api/v1/namespaces/NAME.
        if (rest.get(0).equals("namespaces") && rest.size() > 2) {
            rest = rest.subList(2, rest.size());
        }
        boolean isNamed = rest.size() > 1;
        String resource = rest.size() > 2 ? rest.get(0) + "/" + rest.get(2) : rest.get(0);
        boolean isWatch =
                method.equals("GET") && query >= 0 && uri.substring(query).matches(".*[?&]watch=(true|1).*");
        return new ApiRequest(isWatch ? "watch" : verb(method, isNamed), resource);
    }

    private static String verb(String method, boolean isNamed) {
        return switch (method) {
            case "GET", "HEAD" -> isNamed ? "get" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> isNamed ? "delete" : "deletecollection";
            default -> method.toLowerCase(Locale.ROOT);
        };
    }

    boolean isWatch() {
        return verb.equals("watch");
    }

    boolean isWrite() {
        return !resource.isEmpty() && !READS.contains(verb);
    }

    @Override
    public String toString() {
        return verb + " " + resource;
    }
}
