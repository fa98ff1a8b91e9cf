package dev.fakegpu.dashboard.server;

/**
 * The owner of a token, and what the owner may see.
 *
 * @param user the user's name; for ServiceAccounts, a name for all of them in the namespace, because users who may create one may create
 *     any number
 */
record Caller(String user, Visibility visibility) {

    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    static Caller of(String name, Visibility visibility) {
        return new Caller(
                name.startsWith(SERVICE_ACCOUNT) ? name.substring(0, name.lastIndexOf(':')) : name, visibility);
    }
}
