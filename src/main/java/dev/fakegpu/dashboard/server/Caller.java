package dev.fakegpu.dashboard.server;

/**
 * Whose token it is, and what its owner may see.
 *
 * @param user the user's name; for ServiceAccounts, of which who may create one may create any number, that of all in the namespace
 */
record Caller(String user, Visibility visibility) {

    private static final String SERVICE_ACCOUNT = "system:serviceaccount:";

    static Caller of(String name, Visibility visibility) {
        return new Caller(
                name.startsWith(SERVICE_ACCOUNT) ? name.substring(0, name.lastIndexOf(':')) : name, visibility);
    }
}
