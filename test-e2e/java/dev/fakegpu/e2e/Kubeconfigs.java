package dev.fakegpu.e2e;

import dev.fakegpu.testing.ControlPlane;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.client.Config;

/** Kubeconfigs for processes that have the rights of a ServiceAccount and no others. */
final class Kubeconfigs {

    private Kubeconfigs() {}

    static String of(ControlPlane controlPlane, TokenRequest token) {
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
                """.formatted(
                        admin.getMasterUrl(), trust(admin), token.getStatus().getToken());
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
