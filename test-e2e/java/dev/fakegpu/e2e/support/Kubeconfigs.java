package dev.fakegpu.e2e.support;

import dev.fakegpu.testing.ControlPlane;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.client.Config;

/** Kubeconfigs for processes that have only the rights of a ServiceAccount. */
public final class Kubeconfigs {

    private Kubeconfigs() {}

    public static String of(ControlPlane controlPlane, TokenRequest token) {
        return of(controlPlane, controlPlane.config().getMasterUrl(), token);
    }

    /** @param apiServer the address of the API server */
    public static String of(ControlPlane controlPlane, String apiServer, TokenRequest token) {
        var admin = controlPlane.config();
        return """
                apiVersion: v1
                kind: Config
                current-context: account
                contexts: [{name: account, context: {cluster: test, user: account}}]
                clusters:
                - name: test
                  cluster:
                    server: %s
                    %s
                users: [{name: account, user: {token: "%s"}}]
                """.formatted(apiServer, trust(admin), token.getStatus().getToken());
    }

    private static String trust(Config config) {
        if (config.getCaCertData() != null) {
            return "certificate-authority-data: " + config.getCaCertData();
        }
        return config.getCaCertFile() != null
                ? "certificate-authority: " + config.getCaCertFile()
                : "insecure-skip-tls-verify: true";
    }
}
