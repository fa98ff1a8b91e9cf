package dev.fakegpu.junit.cluster;

import java.nio.file.Path;

/** A control plane that serves requests. */
public interface Kubernetes extends AutoCloseable {

    /** Lets in an administrator. */
    Path kubeconfig();

    /** Whether it was made for the tests, so that everything in it is theirs. */
    boolean isOwn();

    /** Ends it, unless somebody else runs it. */
    @Override
    void close();
}
