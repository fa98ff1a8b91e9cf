package dev.fakegpu.dra;

/** Parses the {@code request} of an allocation result: the name of a request, or {@code request/subrequest} (KEP-4816). */
public final class RequestName {
    private RequestName() {}

    /** The name without the subrequest, such as {@code gpu} for {@code gpu/large}. */
    public static String main(String name) {
        int slash = name.indexOf('/');
        return slash < 0 ? name : name.substring(0, slash);
    }
}
